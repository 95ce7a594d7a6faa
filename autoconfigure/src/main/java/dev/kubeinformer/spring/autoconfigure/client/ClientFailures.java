package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.pem.PemContent;

import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Explains by names of properties what a client cannot be made of.
 *
 * @param prefix the prefix of the properties
 * @param properties the properties
 * @param files the kubeconfig, or several as in the variable {@code KUBECONFIG};
 * {@code null} for none
 * @param details whether connection details take the place of properties
 */
record ClientFailures(String prefix, KubernetesClientProperties properties, @Nullable String files, boolean details) {

	private static final String DETAILS = "The connection details";

	private static final String PROPERTIES = "The properties of %s";

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
	 * Returns what the settings of a client come from, as the subject of a sentence.
	 * @return the place
	 */
	String settings() {
		return this.details ? DETAILS : PROPERTIES.formatted(this.prefix);
	}

	/**
	 * Returns whether the starter made a client. One of the application may be of the
	 * same type.
	 * @param client the client
	 * @return {@code true} if the starter made it
	 */
	static boolean isOurs(ApiClient client) {
		return client instanceof ManagedApiClient managed && (managed.description().settings().equals(DETAILS)
				|| managed.description().settings().startsWith(PROPERTIES.formatted("kubernetes.")));
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
			return new InvalidKubeconfigException(message(failure), kubeconfigAction(failure, this.files));
		}
		if (this.details) {
			return new UnusableClientException(message(failure), action(failure, DETAILS_ACTION));
		}
		return new UnusableClientException(message(failure),
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
			.formatted(action(failure, "Correct the file."), this.prefix, command(files));
	}

	private static String command(String files) {
		// The option takes one file.
		return files.contains(File.pathSeparator) ? "KUBECONFIG=%s kubectl config view".formatted(files)
				: "kubectl config view --kubeconfig=" + files;
	}

	private InformerConfigurationException ofDetails(ClientConfigurationException failure) {
		String what = "tls".equals(failure.getField()) ? "an SSL bundle" : "a " + failure.getField();
		return new UnusableClientException(
				"The connection details have %s that %s".formatted(what, failure.getProblem()),
				action(failure, DETAILS_ACTION));
	}

	private InformerConfigurationException ofProperty(ClientConfigurationException failure) {
		String problem = failure.getProblem();
		return switch (String.valueOf(failure.getField())) {
			case "proxy" -> new InvalidPropertyValueException(key("proxy"),
					ServerUrl.withoutSecrets(String.valueOf(this.properties.getProxy()).strip()), problem);
			case "as" -> InvalidPropertyValueException.secret(key("impersonate"),
					"has a value that an HTTP header cannot hold, with a line break or a letter beyond ASCII");
			case "certificateAuthority" -> ofAuthority(String.valueOf(this.properties.getCa()).strip(), problem);
			case "tls" -> new InvalidPropertyValueException(key("ssl.bundle"),
					String.valueOf(this.properties.getSsl().getBundle()).strip(),
					"names an SSL bundle that " + problem);
			case "token" -> InvalidPropertyValueException.secret(key("token"), problem);
			default -> (this.properties.getTokenFile() != null)
					? new InvalidPropertyValueException(key("token-file"), this.properties.getTokenFile().strip(),
							problem)
					: new UnusableClientException(message(failure),
							action(failure, "Correct the properties below '%s'.".formatted(this.prefix)));
		};
	}

	private InformerConfigurationException ofAuthority(String ca, String problem) {
		return PemContent.isPresentInText(ca) ? InvalidPropertyValueException.secret(key("ca"), problem)
				: new InvalidPropertyValueException(key("ca"), ca, problem);
	}

	private String key(String name) {
		return this.prefix + "." + name;
	}

}
