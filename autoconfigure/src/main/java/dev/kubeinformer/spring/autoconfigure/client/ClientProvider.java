package dev.kubeinformer.spring.autoconfigure.client;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/**
 * Finder of the client that informers use. If the application made it, properties that
 * have no effect on it are logged, once and by name only. Internal to the starter.
 */
public final class ClientProvider implements Supplier<ApiClient> {

	private static final Logger logger = LoggerFactory.getLogger(ClientProvider.class);

	private final ObjectProvider<ApiClient> clients;

	private final Environment environment;

	private final AtomicBoolean checked = new AtomicBoolean();

	private volatile Consumer<? super ApiClient> onManaged = (client) -> {
	};

	/**
	 * Creates a finder.
	 * @param clients the clients of the application
	 * @param environment the environment, for the names of properties
	 */
	public ClientProvider(ObjectProvider<ApiClient> clients, Environment environment) {
		this.clients = clients;
		this.environment = environment;
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
	 * @throws AmbiguousApiClientException if there are several without a primary one
	 */
	@Override
	public ApiClient get() {
		ApiClient client = find();
		if (client instanceof ManagedApiClient) {
			this.onManaged.accept(client);
		}
		else if (this.checked.compareAndSet(false, true)) {
			warnOfProperties();
			ClientSecurity.check(client);
		}
		return client;
	}

	private ApiClient find() {
		try {
			return this.clients.getObject();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			if (ex.getBeanNamesFound() == null || ex.getBeanType() != ApiClient.class) {
				throw ex;
			}
			throw new AmbiguousApiClientException(ex.getBeanNamesFound());
		}
	}

	private void warnOfProperties() {
		List<String> unused = new ClientPropertyNames(this.environment).setOfClient().toList();
		if (!unused.isEmpty()) {
			logger.warn("The application's own ApiClient bean is used. These properties are set and have no effect "
					+ "on it: {}", String.join(", ", unused));
		}
	}

}
