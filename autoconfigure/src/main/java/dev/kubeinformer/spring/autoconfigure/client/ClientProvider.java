package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Finder of the client that informers use. If the application made it, properties that
 * have no effect on it are logged, once and by name only. It is no supplier, as Spring
 * Cloud Function takes each such bean for a function of the application. Internal to the
 * starter.
 */
public final class ClientProvider {

	private static final Logger logger = LoggerFactory.getLogger(ClientProvider.class);

	private final Supplier<ApiClient> clients;

	private final ClientPropertyNames properties;

	private final AtomicBoolean checked = new AtomicBoolean();

	private volatile Consumer<? super ApiClient> onManaged = (client) -> {
	};

	/**
	 * Creates a finder of the client of the default cluster, which is never that of
	 * another one.
	 * @param clients the clients of the application
	 * @param beanFactory the beans of the application
	 * @param clusters the names of the other clusters
	 * @param environment the environment, for the names of properties
	 */
	public ClientProvider(ObjectProvider<ApiClient> clients, ListableBeanFactory beanFactory,
			Collection<String> clusters, Environment environment) {
		this(() -> byDefault(clients, new ClusterBeans(beanFactory), clusters), new ClientPropertyNames(environment));
	}

	private static ApiClient byDefault(ObjectProvider<ApiClient> clients, ClusterBeans beans,
			Collection<String> clusters) {
		ApiClient client = beans.byDefault(ApiClient.class, clusters, clients::getObject);
		if (client == null) {
			throw new InformerConfigurationException(
					"The default cluster has no ApiClient: each of these beans is that of a cluster below "
							+ "'kubernetes.clusters', and in the place of the auto-configured one: "
							+ quoted(beans.onlyOf(ApiClient.class, clusters)),
					"Declare such a bean with @Bean(defaultCandidate = false), and under another name than "
							+ "'kubernetesApiClient', so that there is a client of 'kubernetes.client' beside it.");
		}
		return client;
	}

	/**
	 * Creates a finder.
	 * @param client gives the client
	 * @param properties finds the properties that a client of the application has no use
	 * for
	 */
	public ClientProvider(Supplier<ApiClient> client, ClientPropertyNames properties) {
		this.clients = client;
		this.properties = properties;
	}

	/**
	 * Sets what is done with a client that the starter made, before informers use it. One
	 * of the application's own is never changed.
	 * @param onManaged takes the client each time that it is found
	 */
	public void onManaged(Consumer<? super ApiClient> onManaged) {
		this.onManaged = onManaged;
	}

	/**
	 * Finds the client.
	 * @return the client
	 * @throws InformerConfigurationException if there are several without a primary one,
	 * or each is that of another cluster
	 */
	public ApiClient get() {
		ApiClient client = find();
		if (ClientOrigin.of(client) != ClientOrigin.APPLICATION) {
			this.onManaged.accept(client);
		}
		else if (this.checked.compareAndSet(false, true)) {
			warnOfProperties();
			ClientSecurity.check(client, ClientSecurity.api(null), KubernetesClientProperties.PREFIX);
		}
		return client;
	}

	private ApiClient find() {
		try {
			return this.clients.get();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			if (ex.getBeanNamesFound() == null || ex.getBeanType() != ApiClient.class) {
				throw ex;
			}
			throw new InformerConfigurationException(
					"Informers need one ApiClient, and there are %d beans of it, none of them primary: %s"
						.formatted(ex.getBeanNamesFound().size(), quoted(ex.getBeanNamesFound())),
					"Mark the client of the cluster that is to be watched with @Primary, or the others with "
							+ "@Bean(defaultCandidate = false). For informers on another cluster too, build them by "
							+ "'Informers.builder(client)'.");
		}
	}

	private static String quoted(Collection<String> beans) {
		return beans.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
	}

	private void warnOfProperties() {
		List<String> unused = this.properties.setOfClient().toList();
		if (!unused.isEmpty()) {
			logger.warn("The application's own ApiClient bean is used. These properties are set and have no effect "
					+ "on it: {}", String.join(", ", unused));
		}
	}

}
