package dev.kubeinformer.spring.autoconfigure.guard;

import java.util.Map;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ConnectionGuard;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.autoconfigure.client.ServerUrl;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Guards test contexts: informers can connect only to clusters that the test or its
 * properties allow. Otherwise a test could watch a shared cluster, and its handlers could
 * modify it, because of a kubeconfig in the developer's home directory, a service account
 * on a build server, or a client of the application. All {@link Informers} beans are
 * guarded, including those of the application, and the elector of
 * {@code kubernetes.leader.enabled}. An elector that the application creates itself is
 * not guarded, because its client is unknown.
 */
final class ClusterGuard implements BeanPostProcessor, ConnectionGuard {

	private static final String ALLOW = "kubernetes.client.allow-in-tests";

	private static final String URL = "kubernetes.client.url";

	private static final boolean EMBEDDED_PRESENT = ClassUtils.isPresent("dev.kubeinformer.test.EmbeddedKubernetes",
			ClusterGuard.class.getClassLoader());

	private final Environment environment;

	private final ListableBeanFactory beans;

	ClusterGuard(Environment environment, ListableBeanFactory beans) {
		this.environment = environment;
		this.beans = beans;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		return guard(bean);
	}

	// Check again: for an object that a factory bean creates, only this method is called.
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return guard(bean);
	}

	private Object guard(Object bean) {
		if (bean instanceof Informers informers) {
			try {
				informers.hooks().checkClient(this::check);
			}
			catch (ClusterNotAllowedException ex) {
				// The application has already started these informers.
				informers.stop();
				throw ex;
			}
		}
		return bean;
	}

	/**
	 * Checks the server of a client before the client is used.
	 * @param client the client that informers or an elector are about to use
	 * @throws ClusterNotAllowedException if the test has not allowed the server
	 */
	@Override
	public void check(ApiClient client) {
		Binder binder = Binder.get(this.environment);
		if (binder.bind(ALLOW, Boolean.class).orElse(false)) {
			return;
		}
		String basePath = String.valueOf(client.getBasePath());
		Stream<String> urls = Stream.concat(Stream.of(binder.bind(URL, String.class).orElse("")), clusters(binder));
		Stream<String> allowed = Stream.concat(urls, Stream.concat(serviceConnections(), embeddedApis()));
		if (allowed.noneMatch((url) -> isSame(url, basePath)) && !EmbeddedApiProbe.isEmbedded(client)) {
			throw new ClusterNotAllowedException(ServerUrl.withoutSecrets(basePath));
		}
	}

	private static Stream<String> clusters(Binder binder) {
		Map<String, Object> clusters = binder.bind("kubernetes.clusters", Bindable.mapOf(String.class, Object.class))
			.orElseGet(Map::of);
		return clusters.keySet()
			.stream()
			.filter((name) -> name.matches("[a-z0-9-]+"))
			.map((name) -> binder.bind("kubernetes.clusters.%s.url".formatted(name), String.class).orElse(""));
	}

	private Stream<String> serviceConnections() {
		return this.beans.getBeanProvider(KubernetesConnectionDetails.class)
			.stream()
			.map(KubernetesConnectionDetails::getUrl);
	}

	private Stream<String> embeddedApis() {
		return (EMBEDDED_PRESENT) ? EmbeddedApis.urls(this.beans) : Stream.empty();
	}

	private static boolean isSame(String url, String basePath) {
		return StringUtils.hasText(url) && withoutSlash(url).equalsIgnoreCase(withoutSlash(basePath));
	}

	private static String withoutSlash(String url) {
		return StringUtils.trimTrailingCharacter(url.strip(), '/');
	}

	/**
	 * Embedded APIs that are beans. This is a separate class because the class
	 * {@code EmbeddedKubernetes} may be absent.
	 */
	private static final class EmbeddedApis {

		static Stream<String> urls(ListableBeanFactory beans) {
			ObjectProvider<EmbeddedKubernetes> apis = beans.getBeanProvider(EmbeddedKubernetes.class);
			return apis.stream().map(EmbeddedKubernetes::url);
		}

	}

}
