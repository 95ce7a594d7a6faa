package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Client in a kind of JVM: a row of the table.
 *
 * @param name the name of the row
 * @param client the client
 * @param home the directory of the JDK
 * @param flags the additional flags of the JVM
 */
record ClientJvm(String name, String client, Path home, List<String> flags) {

	private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d+)");

	/**
	 * JDK from which on one flag creates a cache of classes, profiles and compiled code.
	 */
	private static final int AHEAD_OF_TIME = 25;

	/**
	 * Returns a client in a JVM like this one.
	 * @param client the client
	 * @return the row
	 */
	static ClientJvm of(String client) {
		return new ClientJvm(client, client, Path.of(System.getProperty("java.home")), List.of());
	}

	/**
	 * Reads {@code client=directory}, optionally followed by flags.
	 * @param text the text
	 * @return the row of a client in another JDK
	 * @throws IOException if the directory contains no JDK
	 */
	static ClientJvm ofJdk(String text) throws IOException {
		String[] parts = parts("--jvm", text);
		String[] words = parts[1].split(" ", 2);
		Path home = Path.of(words[0]);
		String jdk = parts[0] + ", JDK " + version(home);
		return (words.length > 1)
				? new ClientJvm(jdk + ", " + words[1].strip(), parts[0], home, List.of(words[1].strip().split(" +")))
				: new ClientJvm(jdk, parts[0], home, List.of());
	}

	/**
	 * Reads {@code client=flags}.
	 * @param text the text
	 * @return the row of a client with these flags
	 */
	static ClientJvm ofFlags(String text) {
		String[] parts = parts("--flags", text);
		return new ClientJvm(parts[0] + ", " + parts[1], parts[0], of(parts[0]).home(), List.of(parts[1].split(" +")));
	}

	private static String[] parts(String option, String text) {
		String[] parts = text.split("=", 2);
		if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
			throw new IllegalArgumentException("%s \"%s\" is not client=value".formatted(option, text));
		}
		return new String[] { parts[0].strip(), parts[1].strip() };
	}

	private static int version(Path home) throws IOException {
		Path release = home.resolve("release");
		Matcher matcher = VERSION.matcher(Files.isReadable(release) ? Files.readString(release) : "");
		if (!matcher.find()) {
			throw new IllegalArgumentException("'%s' is not the directory of a JDK".formatted(home));
		}
		return Integer.parseInt(matcher.group(1));
	}

	private boolean isAheadOfTime() throws IOException {
		return version(this.home) >= AHEAD_OF_TIME;
	}

	/**
	 * Returns the flags with which a run records a cache of what the JVM learned.
	 * @param cache the file of the cache
	 * @return the flags
	 * @throws IOException if the version of the JDK cannot be read
	 */
	List<String> training(Path cache) throws IOException {
		return with((isAheadOfTime() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + cache);
	}

	/**
	 * Returns this client with the cache of another run; its JVM does not start if it
	 * cannot use the cache.
	 * @param cache the file of the cache
	 * @return the row
	 * @throws IOException if the version of the JDK cannot be read
	 */
	ClientJvm trained(Path cache) throws IOException {
		return isAheadOfTime()
				? new ClientJvm(this.name + ", AOT cache", this.client, this.home,
						with("-XX:AOTMode=on", "-XX:AOTCache=" + cache))
				: new ClientJvm(this.name + ", CDS archive", this.client, this.home,
						with("-Xshare:on", "-XX:SharedArchiveFile=" + cache));
	}

	private List<String> with(String... more) {
		List<String> all = new ArrayList<>(this.flags);
		all.addAll(List.of(more));
		return all;
	}

}
