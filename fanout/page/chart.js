// Draws the last minute as line plots under each other, which share an axis of time.

const seconds = 60;
const margin = { left: 46, right: 10, top: 22, bottom: 20 };

// The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `value`.
function niceCeiling(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value * 0.9999);
}

export function shortNumber(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Number((value / 1e3).toFixed(value >= 1e5 ? 0 : 1))} k`;
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en");
  return value.toFixed(1);
}

const colourOf = (canvas, name) => getComputedStyle(canvas).getPropertyValue(name).trim();

// As many device pixels as the screen shows, so that lines and letters are sharp.
function fit(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `12px ${getComputedStyle(canvas).fontFamily}`;
  return { pen, width, height };
}

function drawAxes(pen, box, top, colours) {
  pen.strokeStyle = colours.line;
  pen.fillStyle = colours.muted;
  pen.lineWidth = 1;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const share of [0, 0.5, 1]) {
    const y = Math.round(box.bottom - share * (box.bottom - box.top)) + 0.5;
    pen.beginPath();
    pen.moveTo(box.left, y);
    pen.lineTo(box.right, y);
    pen.stroke();
    pen.fillText(shortNumber(top * share), box.left - 6, y);
  }
  pen.textBaseline = "top";
  for (const [ago, text, align] of [[60, "60 s ago", "left"], [30, "30 s", "center"], [0, "now", "right"]]) {
    pen.textAlign = align;
    pen.fillText(text, box.right - (ago / seconds) * (box.right - box.left), box.bottom + 5);
  }
}

// The swatch, the name and the unit: legend and axis label in one, above what they belong to.
function drawLegend(pen, box, plot, colours) {
  const y = box.top - 12;
  pen.fillStyle = colours.plot;
  pen.fillRect(box.left, y - 1.5, 14, 3);
  pen.fillStyle = colours.ink;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(`${plot.label} (${plot.unit})`, box.left + 20, y);
}

// A gap where there is no value: nothing was sent in that second.
function drawLine(pen, box, values, top, colour) {
  const x = (index) => box.right - ((values.length - 1 - index) / seconds) * (box.right - box.left);
  const y = (value) => box.bottom - (value / top) * (box.bottom - box.top);
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 2;
  pen.lineJoin = "round";
  pen.beginPath();
  values.forEach((value, index) => {
    if (value === null) return;
    if (index > 0 && values[index - 1] !== null) pen.lineTo(x(index), y(value));
    else pen.moveTo(x(index), y(value));
  });
  pen.stroke();
  const last = values.length - 1;
  if (last >= 0 && values[last] !== null) {
    pen.beginPath();
    pen.arc(x(last), y(values[last]), 3, 0, 2 * Math.PI);
    pen.fill();
  }
}

// `plots`: [{label, unit, colour, values}], values a second apart, the newest last, null for none;
// `colour` names a custom property of CSS.
export function drawChart(canvas, plots) {
  const { pen, width, height } = fit(canvas);
  const each = height / plots.length;
  plots.forEach((plot, index) => {
    const colours = {
      ink: colourOf(canvas, "--ink"),
      muted: colourOf(canvas, "--muted"),
      line: colourOf(canvas, "--line"),
      plot: colourOf(canvas, plot.colour),
    };
    const box = {
      left: margin.left,
      right: width - margin.right,
      top: index * each + margin.top,
      bottom: (index + 1) * each - margin.bottom,
    };
    const values = plot.values.slice(-seconds - 1);
    const known = values.filter((value) => value !== null);
    const top = niceCeiling(Math.max(0, ...known));
    drawAxes(pen, box, top, colours);
    drawLegend(pen, box, plot, colours);
    if (known.length > 0) {
      drawLine(pen, box, values, top, colours.plot);
    } else {
      pen.fillStyle = colours.muted;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText("nothing yet", (box.left + box.right) / 2, (box.top + box.bottom) / 2 - 8);
    }
  });
}
