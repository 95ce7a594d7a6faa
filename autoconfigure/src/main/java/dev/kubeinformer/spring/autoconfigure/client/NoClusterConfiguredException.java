package dev.kubeinformer.spring.autoconfigure.client;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a cluster is needed but not configured.
 */
public class NoClusterConfiguredException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private static final String ACTION = "Set 'kubernetes.client.url' or 'kubernetes.client.kubeconfig', or define "
			+ "an ApiClient bean. To start without a cluster, set 'kubernetes.informers.enabled=false' "
			+ "or 'kubernetes.informers.auto-startup=false'.";

	private static final String ACTION_IN_POD = "Set 'automountServiceAccountToken: true' for the pod. Or set "
			+ ACTION.substring("Set ".length());

	private static final String ACTION_IN_TEST = "Annotate the test with @EmbeddedKubernetesTest "
			+ "(kubernetes-informer-spring-boot-starter-test) or give it a @ServiceConnection, such as to a "
			+ "K3sContainer. If a certain cluster is meant, set 'kubernetes.client.url' to its address, or "
			+ "'kubernetes.client.kubeconfig' and 'kubernetes.client.allow-in-tests=true'. If none is needed, set "
			+ "'kubernetes.informers.enabled=false'.";

	private final boolean inTest;

	NoClusterConfiguredException(String message, String action, boolean inTest) {
		super(message, action);
		this.inTest = inTest;
	}

	static NoClusterConfiguredException ofDefault(Path kubeconfig, @Nullable Path missingToken, boolean inTest) {
		String account = (missingToken != null)
				? "the service account of the pod, which has no file '%s'".formatted(missingToken)
				: "the service account of a pod";
		return new NoClusterConfiguredException("No Kubernetes cluster is configured. Looked for: " + String.join(", ",
				List.of("the property 'kubernetes.client.url'", "the property 'kubernetes.client.kubeconfig'",
						"the environment variable 'KUBECONFIG'", "the file '%s'".formatted(kubeconfig), account)),
				inTest ? ACTION_IN_TEST : (missingToken != null) ? ACTION_IN_POD : ACTION, inTest);
	}

	static NoClusterConfiguredException ofName(String cluster, String prefix, boolean inTest) {
		return new NoClusterConfiguredException(
				("The cluster '%s' is not configured. Looked for: the property '%s.url', the property "
						+ "'%s.kubeconfig', the property '%s.context'")
					.formatted(cluster, prefix, prefix, prefix),
				("Set one of these properties, or define a KubernetesConnectionDetails or ApiClient bean with "
						+ "@Bean(defaultCandidate = false) and @Qualifier(\"%s\"). Nothing of 'kubernetes.client' "
						+ "is inherited.")
					.formatted(cluster),
				inTest);
	}

	/**
	 * Returns the text for stack traces. In a test it includes the action, because test frameworks do not print failure analyses.
	 */
	@Override
	public String toString() {
		return (this.inTest) ? super.toString() + ". " + getAction() : super.toString();
	}

}
