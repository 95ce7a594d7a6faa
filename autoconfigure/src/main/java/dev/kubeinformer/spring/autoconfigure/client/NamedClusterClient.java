package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

import dev.kubeinformer.client.ManagedApiClient;

/**
 * Holds the client of a named cluster. The first call that needs the client creates it,
 * on the calling thread. It is not created together with the beans, because its creation
 * may be slow. Thread-safe. Internal to the starter.
 */
public final class NamedClusterClient implements AutoCloseable {

	private final String name;

	private final String prefix;

	private final KubernetesClientProperties properties;

	private final ClusterLocator locator;

	private final ClientFactory factory;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable ManagedApiClient client;

	private volatile boolean closed;

	/**
	 * Creates an instance without a client.
	 * @param name the name of the cluster
	 * @param prefix the prefix of its properties
	 * @param properties the properties
	 * @param beanFactory the beans of the application
	 * @param environment the environment
	 */
	public NamedClusterClient(String name, String prefix, KubernetesClientProperties properties,
			ListableBeanFactory beanFactory, Environment environment) {
		this.name = name;
		this.prefix = prefix;
		this.properties = properties;
		this.locator = new ClusterLocator(name, prefix, properties, () -> details(beanFactory, name), environment,
				beanFactory.getBeanProvider(ConnectionGuard.class));
		this.factory = new ClientFactory(beanFactory.getBeanProvider(SslBundles.class),
				beanFactory.getBeanProvider(ApiClientCustomizer.class));
	}

	private static @Nullable KubernetesConnectionDetails details(ListableBeanFactory beanFactory, String name) {
		String bean = new ClusterBeans(beanFactory).find(KubernetesConnectionDetails.class, name);
		return (bean != null) ? beanFactory.getBean(bean, KubernetesConnectionDetails.class) : null;
	}

	/**
	 * Returns the name of the cluster.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the locator of the cluster.
	 * @return the locator
	 */
	public ClusterLocator locator() {
		return this.locator;
	}

	/**
	 * Checks whether the client can be created from the configuration.
	 * @return {@code true} if its creation may be slow, because a plugin provides the
	 * credentials
	 * @throws dev.kubeinformer.spring.settings.InformerConfigurationException if the
	 * client cannot be created
	 */
	public boolean isSlow() {
		return this.locator.find().isSlow();
	}

	/**
	 * Returns the client.
	 * @return the client, always the same instance
	 * @throws dev.kubeinformer.spring.settings.InformerConfigurationException if the
	 * client cannot be created; the next call tries again
	 */
	public ApiClient get() {
		ManagedApiClient found = find();
		if (this.closed) {
			found.close();
		}
		return found;
	}

	private ManagedApiClient find() {
		this.lock.lock();
		try {
			if (this.client == null) {
				if (this.closed) {
					throw new IllegalStateException(
							"Cannot create the client of cluster '%s': the application context is closed"
								.formatted(this.name));
				}
				this.client = this.factory.create(this.name, this.properties, this.prefix, this.locator);
			}
			return Objects.requireNonNull(this.client);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Closes the client. Does not wait for a client that another thread is creating: that
	 * thread closes it.
	 */
	@Override
	public void close() {
		this.closed = true;
		if (this.lock.tryLock()) {
			try {
				if (this.client != null) {
					this.client.close();
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

}
