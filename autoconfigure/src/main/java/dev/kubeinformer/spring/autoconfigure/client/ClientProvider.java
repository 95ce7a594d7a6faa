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
 * Finds the client that informers use. A client that the application has created ignores
 * the client properties. If some are set, their names are logged once. This class does
 * not implement {@code Supplier}, because Spring Cloud Function treats each supplier bean
 * as a function of the application. Internal to the starter.
 */
public final class ClientProvider {

	private static final Logger logger = LoggerFactory.getLogger(ClientProvider.class);

	private final Supplier<ApiClient> clients;

	private final ClientPropertyNames properties;

	private final AtomicBoolean checked = new AtomicBoolean();

	private volatile Consumer<? super ApiClient> onManaged = (client) -> {
	};

	/**
	 * Creates a provider of the default cluster's client. Clients that belong to other
	 * clusters are not candidates.
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
					"The default cluster has no ApiClient: each of these beans belongs to a cluster "
							+ "below 'kubernetes.clusters', and replaces the auto-configured one: "
							+ quoted(beans.onlyOf(ApiClient.class, clusters)),
					"Declare such a bean with @Bean(defaultCandidate = false), and with another name "
							+ "than 'kubernetesApiClient', so that the client of 'kubernetes.client' is "
							+ "created, too.");
		}
		return client;
	}

	/**
	 * Creates a provider.
	 * @param client the supplier of the client
	 * @param properties the names of the properties that have no effect on a client of
	 * the application
	 */
	public ClientProvider(Supplier<ApiClient> client, ClientPropertyNames properties) {
		this.clients = client;
		this.properties = properties;
	}

	/**
	 * Sets the callback that receives the client before informers use it. The callback is
	 * called only if the starter has created the client, because a client of the
	 * application is never modified.
	 * @param onManaged the callback, which is called each time that {@link #get()} finds
	 * the client
	 */
	public void onManaged(Consumer<? super ApiClient> onManaged) {
		this.onManaged = onManaged;
	}

	/**
	 * Finds the client.
	 * @return the client
	 * @throws InformerConfigurationException if there are several clients without a
	 * primary one, or all belong to other clusters
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
					"Informers need a single ApiClient bean, but there are %d, none of them primary: %s"
						.formatted(ex.getBeanNamesFound().size(), quoted(ex.getBeanNamesFound())),
					"Mark the client of the cluster to watch with @Primary, or the others with "
							+ "@Bean(defaultCandidate = false). For informers on another cluster, build them "
							+ "with 'Informers.builder(client)'.");
		}
	}

	private static String quoted(Collection<String> beans) {
		return beans.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
	}

	private void warnOfProperties() {
		List<String> unused = this.properties.setOfClient().toList();
		if (!unused.isEmpty()) {
			logger.warn("Using the application's own ApiClient bean; these properties have no effect on it: {}",
					String.join(", ", unused));
		}
	}

}
