// What the page needs of the server's HTML: each card is an element with data-card, and in it
// elements with the classes title, owner and count.

export function readCards(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.querySelectorAll("[data-card]")].map((card) => ({
    number: Number(card.dataset.card),
    title: card.querySelector(".title").textContent,
    owner: card.querySelector(".owner").textContent,
    count: Number(card.querySelector(".count").textContent),
  }));
}

// [number, count] of each card. Twenty times a second no document is made of 140 KB.
export function readCounts(html) {
  const counts = [];
  let number = 0;
  for (const [, card, count] of html.matchAll(/data-card="(\d+)"|class="count">(\d+)</g)) {
    if (card !== undefined) number = Number(card);
    else counts.push([number, Number(count)]);
  }
  return counts;
}
