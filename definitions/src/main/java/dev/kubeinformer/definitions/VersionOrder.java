package dev.kubeinformer.definitions;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Order of versions as in {@code version.CompareKubeAwareVersionStrings} of
 * k8s.io/apimachinery: stable before beta before alpha, higher numbers first, other names
 * last.
 */
final class VersionOrder {

	static final Comparator<String> NEWEST_FIRST = Comparator.comparing(VersionOrder::rank)
		.thenComparing(VersionOrder::major, Comparator.reverseOrder())
		.thenComparing(VersionOrder::minor, Comparator.reverseOrder())
		.thenComparing(Comparator.naturalOrder());

	private static final Pattern FORMAT = Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

	private VersionOrder() {
	}

	private static int rank(String version) {
		Matcher matcher = FORMAT.matcher(version);
		if (!matcher.matches()) {
			return 3;
		}
		return (matcher.group(2) != null) ? List.of("", "beta", "alpha").indexOf(matcher.group(2)) : 0;
	}

	private static BigInteger major(String version) {
		return number(version, 1);
	}

	private static BigInteger minor(String version) {
		return number(version, 3);
	}

	private static BigInteger number(String version, int group) {
		Matcher matcher = FORMAT.matcher(version);
		return (matcher.matches() && matcher.group(group) != null) ? new BigInteger(matcher.group(group))
				: BigInteger.ZERO;
	}

}
