package dev.kubeinformer.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Context runners with informers that never see the cluster of the machine.
 */
public final class InformerContextRunner {

	/**
	 * Properties that hide the machine's own cluster.
	 */
	public static final String[] NO_CLUSTER = { "KUBECONFIG=", "HOME=/nonexistent", "KUBERNETES_SERVICE_HOST=" };

	private InformerContextRunner() {
	}

	public static ApplicationContextRunner withoutCluster() {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class))
			.withPropertyValues(NO_CLUSTER);
	}

	public static ApplicationContextRunner with(EmbeddedKubernetes kubernetes) {
		return withoutCluster().withPropertyValues("kubernetes.client.url=" + kubernetes.url());
	}

}
