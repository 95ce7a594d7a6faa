package dev.kubeinformer.test.internal.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.json.Json;

/**
 * The text of a kubeconfig file.
 */
public final class Kubeconfig {

	private static final String CLUSTER = "embedded-kubernetes";

	private Kubeconfig() {
	}

	/**
	 * Writes a kubeconfig with a context for each user, which has the same name as the
	 * user. The first context is the current one.
	 * @param url the address of the server
	 * @param authority the certificate of its authority in PEM, or {@code null} without
	 * TLS
	 * @param users the users
	 * @return the text in YAML
	 */
	public static String of(String url, @Nullable String authority, List<User> users) {
		StringBuilder yaml = new StringBuilder("apiVersion: v1\nkind: Config\nclusters:\n");
		yaml.append("- name: ").append(CLUSTER).append("\n  cluster:\n    server: ").append(url).append('\n');
		if (authority != null) {
			String data = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
			yaml.append("    certificate-authority-data: ").append(data).append('\n');
		}
		StringBuilder contexts = new StringBuilder("contexts:\n");
		StringBuilder entries = new StringBuilder("users:\n");
		if (users.isEmpty()) {
			append(contexts, CLUSTER);
			// The server ignores the token, but without one kubectl prompts for a name
			// and a password.
			entries.append("- name: ").append(quote(CLUSTER)).append("\n  user:\n    token: anybody\n");
		}
		for (User user : users) {
			append(contexts, user.name());
			entries.append("- name: ").append(quote(user.name()));
			entries.append("\n  user:\n    token: ").append(quote(user.token())).append('\n');
		}
		String current = (users.isEmpty()) ? CLUSTER : users.get(0).name();
		return yaml.append(contexts)
			.append("current-context: ")
			.append(quote(current))
			.append('\n')
			.append(entries)
			.toString();
	}

	private static void append(StringBuilder contexts, String user) {
		contexts.append("- name: ").append(quote(user)).append("\n  context:\n    cluster: ").append(CLUSTER);
		contexts.append("\n    user: ").append(quote(user)).append("\n    namespace: default\n");
	}

	// A JSON text is a YAML text.
	private static String quote(String text) {
		return new String(Json.write(Json.object().stringNode(text)), StandardCharsets.UTF_8);
	}

}
