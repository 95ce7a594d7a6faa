package dev.kubeinformer.client.table;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A {@code kubectl} that is asked who the API server takes it for.
 */
final class Kubectl {

	private static final String CACHE = Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"),
			Path.of(System.getProperty("user.home"), ".cache").toString());

	/** Message about a connection that failed, which contains nothing else of use. */
	private static final Pattern TRIED = Pattern
		.compile("The connection to the server .* was refused|dial tcp(?!: address)|no such host|proxyconnect");

	/** Where it goes if nothing names a server. */
	private static final String NOWHERE = "server localhost:8080 was refused";

	private final List<String> command;

	Kubectl(String command) {
		this.command = List.of(command.strip().split(" +"));
	}

	/**
	 * Runs it on a kubeconfig.
	 * @param row the case
	 * @param folder its files
	 * @param servers the servers
	 * @return what became of it
	 * @throws IOException if it cannot be run
	 * @throws InterruptedException if the thread is interrupted
	 */
	Said ask(KubeconfigCase row, Path folder, TableServers servers) throws IOException, InterruptedException {
		List<String> words = new ArrayList<>(this.command);
		String variable = row.variable(folder);
		if (variable == null) {
			words.add("--kubeconfig=" + folder.resolve(KubeconfigCase.FILE));
		}
		if (row.context() != null) {
			words.add("--context=" + row.context());
		}
		words.addAll(List.of("auth", "whoami", "-o", "json", "--request-timeout=10s"));
		Path output = folder.resolveSibling(folder.getFileName() + ".out");
		ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
			.redirectOutput(output.toFile());
		Map<String, String> environment = builder.environment();
		environment.clear();
		environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
		environment.put("HOME", folder.resolve("home").toString());
		// A command may be one that unpacks itself.
		environment.put("XDG_CACHE_HOME", CACHE);
		if (variable != null) {
			environment.put("KUBECONFIG", variable);
		}
		servers.contacts.reset();
		Process process = builder.start();
		if (!process.waitFor(60, TimeUnit.SECONDS)) {
			process.destroyForcibly();
			throw new IOException("kubectl does not end: " + row.name());
		}
		String text = Files.readString(output, StandardCharsets.UTF_8);
		boolean tried = TRIED.matcher(text).find() && !text.contains(NOWHERE);
		boolean succeeded = process.exitValue() == 0;
		return new Said(Verdict.of(servers.contacts, succeeded, tried),
				succeeded ? "" : shortened(servers.normalised(text, folder)));
	}

	String version() throws IOException {
		List<String> words = new ArrayList<>(this.command);
		words.addAll(List.of("version", "--client"));
		Process process = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return text.lines().findFirst().orElse("").replaceFirst("^Client Version: ", "");
	}

	private static String shortened(String text) {
		String line = text.lines()
			.filter((each) -> !each.isBlank())
			.map((each) -> each.replaceFirst("^[EWI][0-9]{4} [0-9:.]+ +[0-9]+ [a-z_.]+go:[0-9]+] ", ""))
			.map((each) -> each.replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)", "(time)"))
			.map((each) -> each.replaceAll("(lookup [^ ]+) .*", "$1"))
			.distinct()
			.collect(Collectors.joining(" | "));
		return (line.length() <= 300) ? line : line.substring(0, 300) + "…";
	}

	/**
	 * Result of kubectl.
	 *
	 * @param verdict the verdict
	 * @param message its message, on one line; empty if it succeeded
	 */
	record Said(Verdict verdict, String message) {

	}

}
