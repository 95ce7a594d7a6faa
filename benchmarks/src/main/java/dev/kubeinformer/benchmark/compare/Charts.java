package dev.kubeinformer.benchmark.compare;

import java.awt.Color;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

import dev.kubeinformer.benchmark.compare.Sample.Row;

/**
 * Plots of medians, as PNG.
 */
final class Charts {

	private static final int WIDTH = 760;

	private static final int HEIGHT = 420;

	private static final int DPI = 120;

	private static final int DIGITS = 3;

	/** Minimum of logarithmic axes. */
	private static final double LEAST = 0.01;

	/**
	 * Colours of Okabe and Ito, which people with colour vision deficiencies can
	 * distinguish.
	 */
	private static final Color[] COLORS = { new Color(0x0072B2), new Color(0xE69F00), new Color(0x009E73),
			new Color(0xCC79A7), new Color(0x56B4E9), new Color(0xD55E00), new Color(0xF0E442) };

	private final Map<Row, List<Sample>> rows;

	Charts(Collection<Sample> samples) {
		this.rows = samples.stream()
			.filter((sample) -> sample.outcome().isMeasured())
			.collect(Collectors.groupingBy(Sample::row, LinkedHashMap::new, Collectors.toList()));
	}

	/**
	 * Writes every plot for which there are samples.
	 * @param directory the directory to write to
	 * @return the files
	 * @throws IOException if a file cannot be written
	 */
	List<Path> write(Path directory) throws IOException {
		List<Path> files = new ArrayList<>();
		for (Resource resource : Resource.values()) {
			syncs(directory, resource, files);
		}
		Predicate<Row> watch = (row) -> row.scenario() == Scenario.WATCH;
		if (!sizes(watch).isEmpty()) {
			files.addAll(bars(directory, "watch-latency", "Latency of events", List.of(Measure.P50, Measure.P99),
					"ms, logarithmic", watch));
			files.addAll(bars(directory, "watch-cpu", "Processor time of an event", List.of(Measure.CPU_EVENT), "µs",
					watch));
		}
		return files;
	}

	private void syncs(Path directory, Resource resource, List<Path> files) throws IOException {
		Predicate<Row> sync = (row) -> row.scenario() == Scenario.SYNC && row.resource() == resource;
		String many = resource.plural();
		String infix = (resource == Resource.PODS) ? "" : many + "-";
		List<Integer> sizes = sizes(sync);
		for (int size : sizes) {
			Predicate<Row> ofSize = sync.and((row) -> row.objects() == size);
			files.addAll(bars(directory, "sync-time-" + infix + size, "Sync of " + size + " " + many,
					List.of(Measure.WALL), "ms", ofSize));
			files.addAll(bars(directory, "sync-memory-" + infix + size, "Memory of " + size + " " + many,
					List.of(Measure.RETAINED, Measure.RSS), "MB", ofSize));
		}
		if (sizes.size() > 1) {
			files.addAll(lines(directory, infix + "growth-time", "Time to sync", many, Measure.WALL, sync));
			files.addAll(lines(directory, infix + "growth-memory", "Retained heap", many, Measure.RETAINED, sync));
			files.addAll(lines(directory, infix + "growth-rss", "Peak memory of the process", many, Measure.RSS, sync));
		}
	}

	private List<Integer> sizes(Predicate<Row> wanted) {
		return this.rows.keySet().stream().filter(wanted).map(Row::objects).distinct().sorted().toList();
	}

	// One series for each client and variant over the measures.
	private List<Path> bars(Path directory, String name, String title, List<Measure> measures, String axis,
			Predicate<Row> wanted) throws IOException {
		CategoryChart chart = new CategoryChartBuilder().width(WIDTH)
			.height(HEIGHT)
			.title(title)
			.yAxisTitle(axis)
			.build();
		style(chart.getStyler());
		boolean logarithmic = axis.endsWith("logarithmic");
		chart.getStyler().setYAxisLogarithmic(logarithmic);
		chart.getStyler().setLabelsVisible(true);
		chart.getStyler().setYAxisMin(logarithmic ? LEAST : 0);
		this.rows.forEach((row, samples) -> {
			if (wanted.test(row) && measures.stream().allMatch((measure) -> median(samples, measure) > 0)) {
				chart.addSeries((row.client() + " " + row.variant()).strip(),
						measures.stream().map((measure) -> measure.heading().replaceFirst(",.*", "")).toList(),
						measures.stream().map((measure) -> rounded(median(samples, measure))).toList());
			}
		});
		return save(chart, directory.resolve(name + ".png"));
	}

	// One series for each client and variant over the number of objects, both
	// logarithmic.
	private List<Path> lines(Path directory, String name, String title, String axis, Measure measure,
			Predicate<Row> wanted) throws IOException {
		XYChart chart = new XYChartBuilder().width(WIDTH)
			.height(HEIGHT)
			.title(title)
			.xAxisTitle(axis)
			.yAxisTitle(measure.heading())
			.build();
		style(chart.getStyler());
		chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
		Map<String, Map<Integer, Double>> series = new LinkedHashMap<>();
		this.rows.forEach((row, samples) -> {
			if (wanted.test(row) && median(samples, measure) > 0) {
				series.computeIfAbsent((row.client() + " " + row.variant()).strip(), (key) -> new TreeMap<>())
					.put(row.objects(), median(samples, measure));
			}
		});
		series
			.forEach((key, points) -> chart.addSeries(key, List.copyOf(points.keySet()), List.copyOf(points.values())));
		return save(chart, directory.resolve(name + ".png"));
	}

	private static double median(List<Sample> samples, Measure measure) {
		List<Double> values = samples.stream()
			.map((sample) -> sample.values().get(measure))
			.filter((value) -> value != null)
			.toList();
		return values.isEmpty() ? 0 : Spread.of(values).median();
	}

	// The labels of bars would show all digits.
	private static double rounded(double value) {
		return new BigDecimal(value).round(new MathContext(DIGITS)).doubleValue();
	}

	private static void style(AxesChartStyler styler) {
		styler.setSeriesColors(COLORS);
		styler.setLegendPosition(LegendPosition.OutsideS);
		styler.setLegendLayout(LegendLayout.Horizontal);
		styler.setChartBackgroundColor(Color.WHITE);
	}

	// Nothing is written if no client has all of the figures.
	private static List<Path> save(Chart<?, ?> chart, Path file) throws IOException {
		if (chart.getSeriesMap().isEmpty()) {
			return List.of();
		}
		Files.createDirectories(file.getParent());
		BitmapEncoder.saveBitmapWithDPI(chart, file.toString(), BitmapFormat.PNG, DPI);
		return List.of(file);
	}

}
