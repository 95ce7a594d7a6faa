package dev.kubeinformer.client.table;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A row of the table.
 *
 * @param name the name, which is unique
 * @param about what it is about
 * @param kubeconfig the content of the kubeconfig
 * @param files other files, by their names
 * @param variable the names of the files in the variable {@code KUBECONFIG}; empty if the
 * one kubeconfig is named by itself
 * @param context the context that is asked for; {@code null} for the current one
 * @param needs a server that not every machine has; {@code null} if it needs none
 * @param message words of which each is in the message of a failure
 */
record KubeconfigCase(String name, String about, String kubeconfig, Map<String, String> files, List<String> variable,
		@Nullable String context, @Nullable String needs, List<String> message) {

	static final String FILE = "config";

	private static final String CLUSTER = """
			server: ${server}
			certificate-authority-data: ${data:ca}""";

	private static final String USER = "token: secret-of-alice";

	private static final String WHOLE = """
			apiVersion: v1
			kind: Config
			current-context: dev
			contexts:
			- name: dev
			  context:
			    cluster: kind
			    user: me
			%sclusters:
			- name: kind
			  cluster:%s
			users:
			- name: me
			  user:%s
			""";

	static KubeconfigCase of(Map<String, Object> row) {
		String whole = text(row, "kubeconfig");
		String cluster = text(row, "cluster");
		String user = text(row, "user");
		String context = text(row, "in-context");
		String kubeconfig = (whole != null) ? whole
				: WHOLE.formatted((context != null) ? "    " + context.strip() + "\n" : "",
						block((cluster != null) ? cluster : CLUSTER), block((user != null) ? user : USER));
		Map<String, String> files = new LinkedHashMap<>();
		if (row.get("files") instanceof Map<?, ?> given) {
			given.forEach((name, content) -> files.put(String.valueOf(name), String.valueOf(content)));
		}
		return new KubeconfigCase(String.valueOf(row.get("name")), String.valueOf(row.get("about")), kubeconfig, files,
				list(row.get("variable")), text(row, "context"), text(row, "needs"), list(row.get("message")));
	}

	private static @Nullable String text(Map<String, Object> row, String key) {
		Object value = row.get(key);
		return (value != null) ? value.toString() : null;
	}

	private static List<String> list(@Nullable Object value) {
		return (value instanceof List<?> list) ? list.stream().map(String::valueOf).toList() : List.of();
	}

	private static String block(String text) {
		return text.isBlank() ? " {}" : "\n" + text.stripTrailing().indent(4).stripTrailing();
	}

	/**
	 * Writes the files.
	 * @param folder an empty folder
	 * @param servers what placeholders stand for
	 * @throws IOException if they cannot be written
	 */
	void write(Path folder, TableServers servers) throws IOException {
		if (!this.files.containsKey(FILE)) {
			write(folder.resolve(FILE), servers.filled(this.kubeconfig, folder));
		}
		for (Map.Entry<String, String> file : this.files.entrySet()) {
			if (file.getKey().endsWith("/")) {
				Files.createDirectories(folder.resolve(file.getKey()));
			}
			else if (!file.getValue().equals("absent")) {
				write(folder.resolve(file.getKey()), servers.filled(file.getValue(), folder));
			}
		}
	}

	private static void write(Path file, String content) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, content);
		if (content.startsWith("#!")) {
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
		}
	}

	/**
	 * Returns the value of {@code KUBECONFIG}.
	 * @param folder the folder of the files
	 * @return the value; {@code null} if one kubeconfig is named by itself
	 */
	@Nullable String variable(Path folder) {
		return this.variable.isEmpty() ? null
				: this.variable.stream()
					.map((name) -> name.isEmpty() ? "" : folder.resolve(name).toString())
					.collect(Collectors.joining(File.pathSeparator));
	}

	@Override
	public String toString() {
		return this.name + ": " + this.about;
	}

}
