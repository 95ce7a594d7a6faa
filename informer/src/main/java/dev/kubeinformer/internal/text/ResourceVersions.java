package dev.kubeinformer.internal.text;

/**
 * Compares resourceVersions. Of two versions that consist of digits, the longer one is
 * newer; if both have the same length, the one that sorts later is newer (KEP-5504).
 * Other versions are opaque and cannot be compared.
 */
public final class ResourceVersions {

	/**
	 * Version that some servers set in all objects and lists; it does not identify a
	 * state.
	 */
	private static final String NONE = "0";

	private ResourceVersions() {
	}

	/**
	 * Returns a version if a watch can resume from it.
	 * @param version the version from a server
	 * @return the version; empty for "0", which requests any state
	 */
	public static String known(String version) {
		return version.equals(NONE) ? "" : version;
	}

	/**
	 * Returns whether a version is older than another one.
	 * @param version the version in question
	 * @param reference the version to compare with
	 * @return {@code true} if the version is older; {@code false} also if the two cannot
	 * be compared
	 */
	public static boolean isOlder(String version, String reference) {
		if (!isOrdered(version) || !isOrdered(reference)) {
			return false;
		}
		return (version.length() != reference.length()) ? version.length() < reference.length()
				: version.compareTo(reference) < 0;
	}

	/**
	 * Returns whether a version is equal to a wanted version, or newer. An opaque version
	 * can only be equal.
	 * @param version the version in question
	 * @param wanted the wanted version
	 * @return {@code true} if the version is equal or newer
	 */
	public static boolean hasReached(String version, String wanted) {
		return version.equals(wanted) || isOlder(wanted, version);
	}

	/**
	 * Returns the older of two versions; the first if they cannot be compared.
	 * @param first a version
	 * @param second another version
	 * @return the older version
	 */
	public static String oldest(String first, String second) {
		return isOlder(second, first) ? second : first;
	}

	/**
	 * Returns the newer of two versions; the second if they cannot be compared.
	 * @param known the version known so far
	 * @param next the version that was just seen
	 * @return the newer version
	 */
	public static String newest(String known, String next) {
		return (next.isEmpty() || isOlder(next, known)) ? known : next;
	}

	/**
	 * Returns whether a version can be compared with others.
	 * @param version the version
	 * @return {@code true} if the version is a decimal number
	 */
	public static boolean isOrdered(String version) {
		if (version.isEmpty() || version.charAt(0) == '0') {
			return version.equals(NONE);
		}
		for (int i = 0; i < version.length(); i++) {
			if (version.charAt(i) < '0' || version.charAt(i) > '9') {
				return false;
			}
		}
		return true;
	}

}
