package dev.kubeinformer.internal.client.credential;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.text.PrintableText;

/**
 * Writes the input and reads the output of a credential plugin: {@code ExecCredential} of
 * {@code client.authentication.k8s.io}. Pure functions.
 */
final class ExecDocument {

	private static final String GROUP = "client.authentication.k8s.io/";

	private static final String KIND = "ExecCredential";

	/** Zero time of Go, which means that no time is set. */
	private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

	/**
	 * Format of RFC 3339 as parsed by Go. Java also accepts lower case and missing
	 * seconds.
	 */
	private static final Pattern TIMESTAMP = Pattern
		.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)");

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private ExecDocument() {
	}

	/**
	 * Returns whether client-go supports a version.
	 * @param apiVersion the version, with its group
	 * @return {@code true} if plugins of this version can be run
	 */
	static boolean isKnown(String apiVersion) {
		return apiVersion.equals(GROUP + "v1") || apiVersion.equals(GROUP + "v1beta1");
	}

	/**
	 * Returns the value of the variable {@code KUBERNETES_EXEC_INFO}, the input of the
	 * plugin.
	 * @param plugin the plugin
	 * @param server the API server
	 * @param authority the certificates of the server's authorities in PEM; {@code null}
	 * for none
	 * @return the value
	 */
	static String info(ClusterAccess.Plugin plugin, ClusterAccess.Server server, byte @Nullable [] authority) {
		ObjectNode root = JSON.createObjectNode();
		root.put("kind", KIND).put("apiVersion", plugin.apiVersion());
		ObjectNode spec = root.putObject("spec");
		if (plugin.providesClusterInfo()) {
			ObjectNode cluster = spec.putObject("cluster");
			cluster.put("server", server.url());
			if (server.tlsServerName() != null) {
				cluster.put("tls-server-name", server.tlsServerName());
			}
			if (server.insecure()) {
				cluster.put("insecure-skip-tls-verify", true);
			}
			if (authority != null && authority.length > 0) {
				cluster.put("certificate-authority-data", Base64.getEncoder().encodeToString(authority));
			}
			if (server.proxy() != null) {
				cluster.put("proxy-url", server.proxy());
			}
			cluster.set("config", JSON.valueToTree(plugin.config()));
		}
		spec.put("interactive", false);
		return JSON.writeValueAsString(root);
	}

	/**
	 * Parses the output of a plugin.
	 * @param output the output
	 * @param apiVersion the version of {@code ExecCredential} in the configuration
	 * @return the status in the output
	 * @throws InvalidAnswerException if client-go does not accept it; the message is the
	 * end of a sentence that begins with the plugin, and does not show the credential
	 */
	static Answer read(byte[] output, String apiVersion) throws InvalidAnswerException {
		if (new String(output, StandardCharsets.UTF_8).isBlank()) {
			throw new InvalidAnswerException("printed nothing; it must print an ExecCredential as JSON");
		}
		if (!(parsed(output) instanceof ObjectNode root)) {
			throw new InvalidAnswerException("did not print a JSON object; it must print an ExecCredential as JSON");
		}
		String kind = text(root, "kind");
		if (kind != null && !kind.equals(KIND)) {
			throw new InvalidAnswerException(
					"printed an object of the kind '%s' instead of '%s'".formatted(PrintableText.of(kind), KIND));
		}
		String version = Objects.requireNonNullElse(text(root, "apiVersion"), "");
		if (!version.equals(apiVersion)) {
			throw new InvalidAnswerException("printed the apiVersion '%s', but the kubeconfig names '%s'"
				.formatted(PrintableText.of(version), apiVersion));
		}
		JsonNode status = root.path("status");
		if (status.isMissingNode() || status.isNull()) {
			throw new InvalidAnswerException("printed no 'status'");
		}
		if (!(status instanceof ObjectNode object)) {
			throw new InvalidAnswerException("printed a 'status' that is not an object");
		}
		return answer(object);
	}

	private static @Nullable JsonNode parsed(byte[] output) {
		try {
			return JSON.readTree(output);
		}
		catch (JacksonException ex) {
			return JSON.valueToTree(YamlOutput.read(output));
		}
	}

	private static Answer answer(ObjectNode status) throws InvalidAnswerException {
		String token = Objects.requireNonNullElse(text(status, "token"), "");
		String certificate = Objects.requireNonNullElse(text(status, "clientCertificateData"), "");
		String key = Objects.requireNonNullElse(text(status, "clientKeyData"), "");
		if (token.isEmpty() && certificate.isEmpty() && key.isEmpty()) {
			throw new InvalidAnswerException("printed neither 'status.token' nor 'status.clientCertificateData'");
		}
		if (certificate.isEmpty() != key.isEmpty()) {
			throw new InvalidAnswerException(
					certificate.isEmpty() ? "printed 'status.clientKeyData' without 'status.clientCertificateData'"
							: "printed 'status.clientCertificateData' without 'status.clientKeyData'");
		}
		String problem = token.isEmpty() ? null : BearerTokens.problem(token);
		if (problem != null) {
			throw new InvalidAnswerException("printed a 'status.token' that " + problem);
		}
		return new Answer(token, certificate, key, expires(text(status, "expirationTimestamp")));
	}

	private static @Nullable String text(ObjectNode object, String field) throws InvalidAnswerException {
		JsonNode value = object.path(field);
		if (value.isMissingNode() || value.isNull()) {
			return null;
		}
		if (!value.isString()) {
			throw new InvalidAnswerException("printed the field '%s', which is not a string".formatted(field));
		}
		return value.stringValue();
	}

	private static @Nullable Instant expires(@Nullable String timestamp) throws InvalidAnswerException {
		if (timestamp == null) {
			return null;
		}
		try {
			if (!TIMESTAMP.matcher(timestamp).matches()) {
				throw new DateTimeException("not as Go reads it");
			}
			Instant expires = OffsetDateTime.parse(timestamp).toInstant();
			return expires.equals(ZERO) ? null : expires;
		}
		catch (DateTimeException ex) {
			throw new InvalidAnswerException(
					"printed a 'status.expirationTimestamp' that is not a time such as '2006-01-02T15:04:05Z'");
		}
	}

	/**
	 * Status in the output of a plugin. {@link #toString()} does not show its values.
	 *
	 * @param token the bearer token; empty for none
	 * @param certificate the client certificate in PEM; empty for none
	 * @param key the key of the certificate in PEM; empty for none
	 * @param expires the expiry time of token and certificate; {@code null} for none
	 */
	record Answer(String token, String certificate, String key, @Nullable Instant expires) {

		@Override
		public String toString() {
			return "Answer";
		}

	}

	/**
	 * Thrown when client-go would not accept the output of a plugin.
	 */
	static final class InvalidAnswerException extends Exception {

		private static final long serialVersionUID = 1L;

		private final String problem;

		InvalidAnswerException(String problem) {
			super(problem);
			this.problem = problem;
		}

		String problem() {
			return this.problem;
		}

	}

}
