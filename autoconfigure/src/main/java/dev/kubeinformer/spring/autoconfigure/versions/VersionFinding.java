package dev.kubeinformer.spring.autoconfigure.versions;

/**
 * Versions that do not work together, or are not tested.
 *
 * @param refused {@code true} if informers cannot work with these versions; {@code false}
 * if the versions are only untested
 * @param message the versions and their jars
 * @param origin the typical origin of such versions
 * @param lines the lines that set a tested version
 */
record VersionFinding(boolean refused, String message, String origin, BuildLines lines) {

	/**
	 * Returns the remedy for the developer.
	 * @return several lines
	 */
	String action() {
		return "%s\n\n%s\n%s".formatted(this.origin, this.lines.text(), VersionsCheck.SWITCH);
	}

}
