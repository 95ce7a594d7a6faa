package dev.kubeinformer.internal.text;

/**
 * Partial order of resourceVersions. Of two strings of digits, the longer one is newer;
 * of equally long ones, the one that sorts later (KEP-5504). Other strings are opaque and
 * not comparable.
 */
public final class ResourceVersions {

	/** Version that some servers set for everything; it does not identify a state. */
	private static final String NONE = "0";

	private ResourceVersions() {
	}

	/**
	 * Returns a version that can be resumed from and compared with others.
	 * @param version the version from a server
	 * @return the version; empty for "0", which requests any state
	 */
	public static String known(String version) {
		return version.equals(NONE) ? "" : version;
	}

	/**
	 * Returns whether one version is provably older than another.
	 * @param version the version in question
	 * @param reference the version it is compared with
	 * @return {@code false} also if the two cannot be compared
	 */
	public static boolean isOlder(String version, String reference) {
		if (!isOrdered(version) || !isOrdered(reference)) {
			return false;
		}
		return (version.length() != reference.length()) ? version.length() < reference.length()
				: version.compareTo(reference) < 0;
	}

	/**
	 * Returns whether a version is provably not before a wanted one. An opaque version
	 * has reached only an equal one.
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
