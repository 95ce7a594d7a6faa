package dev.kubeinformer.benchmark.compare;

import java.util.Collection;
import java.util.Locale;

/**
 * Median, minimum and maximum of some figures.
 *
 * @param median the median; for an even number of figures, the mean of the middle two
 * @param min the minimum
 * @param max the maximum
 */
public record Spread(double median, double min, double max) {

	/**
	 * Returns the spread of figures.
	 * @param values the figures, at least one
	 * @return the spread
	 */
	public static Spread of(Collection<Double> values) {
		if (values.isEmpty()) {
			throw new IllegalArgumentException("No figures, no median");
		}
		double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(median, sorted[0], sorted[sorted.length - 1]);
	}

	/**
	 * Returns the median, with minimum and maximum if their texts differ.
	 * @param decimals the number of decimals
	 * @return the text
	 */
	public String text(int decimals) {
		String format = "%,." + decimals + "f";
		String low = format(format, this.min);
		String high = format(format, this.max);
		String middle = format(format, this.median);
		return low.equals(high) ? middle : "%s (%s–%s)".formatted(middle, low, high);
	}

	private static String format(String format, double value) {
		return String.format(Locale.ROOT, format, value).replace(',', ' ');
	}

}
