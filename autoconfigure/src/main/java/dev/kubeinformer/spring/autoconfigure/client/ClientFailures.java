package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.pem.PemContent;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Explains why a client could not be created, in terms of the properties to correct.
 *
 * @param prefix the prefix of the properties
 * @param properties the properties
 * @param files the path of the kubeconfig, or several paths as in the environment
 * variable {@code KUBECONFIG}; {@code null} for none
 * @param details {@code true} if connection details replace properties
 */
record ClientFailures(String prefix, KubernetesClientProperties properties, @Nullable String files, boolean details) {

	private static final String CA = "ca";

	private static final String TOKEN_FILE = "token-file";

	private static final String DETAILS_ACTION = "Correct the KubernetesConnectionDetails bean, or the service that it describes.";

	ClientFailures(String prefix, KubernetesClientProperties properties) {
		this(prefix, properties, null, false);
	}

	ClientFailures ofFiles(String files) {
		return new ClientFailures(this.prefix, this.properties, files, false);
	}

	ClientFailures ofDetails() {
		return new ClientFailures(this.prefix, this.properties, null, true);
	}

	/**
	 * Names the source of the client's configuration, as the subject of a sentence.
	 * @return the text, which names the connection details or the properties
	 */
	String settings() {
		return this.details ? ClientOrigin.CONNECTION_DETAILS : ClientOrigin.CONFIGURATION.formatted(this.prefix);
	}

	/**
	 * Returns the properties that correspond to methods of the client's builder.
	 * @return the names of the properties, by the names of the methods; empty if
	 * connection details replace properties
	 */
	Map<String, String> fields() {
		return this.details ? Map.of()
				: Map.of("certificateAuthority", CA, "tokenFile", TOKEN_FILE, "as", "impersonate");
	}

	/**
	 * Explains a failure.
	 * @param failure the failure
	 * @return the explanation
	 */
	InformerConfigurationException explain(ClientConfigurationException failure) {
		if (failure.getPlace().equals(settings())) {
			return this.details ? ofDetails(failure) : ofProperty(failure);
		}
		if (this.files != null && failure.getPlace().startsWith("The kubeconfig")) {
			return new InformerConfigurationException(message(failure), kubeconfigAction(failure, this.files));
		}
		if (this.details) {
			return new InformerConfigurationException(message(failure), action(failure, DETAILS_ACTION));
		}
		return new InformerConfigurationException(message(failure),
				action(failure, "Correct it, or set '%s.kubeconfig' or '%s.url' to name another cluster."
					.formatted(this.prefix, this.prefix)));
	}

	private static String message(ClientConfigurationException failure) {
		return String.valueOf(failure.getMessage());
	}

	private static String action(ClientConfigurationException failure, String otherwise) {
		return (failure.getAction() != null) ? failure.getAction() : otherwise;
	}

	private String kubeconfigAction(ClientConfigurationException failure, String files) {
		return "%s '%s.kubeconfig' may name another one; '%s' shows what kubectl makes of it."
			.formatted(sentence(action(failure, "Correct the file.")), this.prefix, command(files));
	}

	private static String sentence(String text) {
		// The author of a kubeconfig writes texts such as 'installHint', which may lack a
		// full stop.
		return text.matches("(?s).*[.!?]") ? text : text + ".";
	}

	private static String command(String files) {
		String quoted = files.matches("(?s).*\\s.*") ? "\"" + files + "\"" : files;
		// The option '--kubeconfig' accepts only a single file.
		return files.contains(File.pathSeparator) ? "KUBECONFIG=%s kubectl config view".formatted(quoted)
				: "kubectl config view --kubeconfig=" + quoted;
	}

	private InformerConfigurationException ofDetails(ClientConfigurationException failure) {
		String what = "tls".equals(failure.getField()) ? "an SSL bundle" : "a " + failure.getField();
		return new InformerConfigurationException(
				"The connection details have %s that %s".formatted(what, failure.getProblem()),
				action(failure, DETAILS_ACTION));
	}

	private InformerConfigurationException ofProperty(ClientConfigurationException failure) {
		String problem = failure.getProblem();
		return switch (String.valueOf(failure.getField())) {
			case "proxy" -> new InvalidPropertyValueException(key("proxy"),
					ServerUrl.withoutSecrets(String.valueOf(this.properties.proxy()).strip()), problem);
			case "impersonate" -> InvalidPropertyValueException.secret(key("impersonate"),
					"has a value that an HTTP header cannot hold, with a line break or a letter beyond ASCII");
			case CA -> ofAuthority(String.valueOf(this.properties.ca()).strip(), problem);
			case "tls" -> new InvalidPropertyValueException(key("ssl.bundle"),
					String.valueOf(this.properties.ssl().bundle()).strip(), "names an SSL bundle that " + problem);
			case "token" -> InvalidPropertyValueException.secret(key("token"), problem);
			case TOKEN_FILE -> new InvalidPropertyValueException(key(TOKEN_FILE),
					String.valueOf(this.properties.tokenFile()).strip(), problem);
			default -> new InformerConfigurationException(message(failure),
					action(failure, "Correct the properties below '%s'.".formatted(this.prefix)));
		};
	}

	private InformerConfigurationException ofAuthority(String ca, String problem) {
		return PemContent.isPresentInText(ca) ? InvalidPropertyValueException.secret(key(CA), problem)
				: new InvalidPropertyValueException(key(CA), ca, problem);
	}

	private String key(String name) {
		return this.prefix + "." + name;
	}

}
