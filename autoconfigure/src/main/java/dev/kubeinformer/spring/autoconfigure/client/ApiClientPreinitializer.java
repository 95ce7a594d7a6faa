package dev.kubeinformer.spring.autoconfigure.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

import dev.kubeinformer.Informers;
import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.KubeconfigValues;
import dev.kubeinformer.client.ManagedApiClient;

/**
 * Loads classes that informers need at their start, while Spring prepares the context.
 * These are an {@link io.kubernetes.client.openapi.ApiClient} with Gson's adapters for
 * all models, OkHttp, the trust store of the JVM, the parser of kubeconfigs, and some
 * classes of the informers. This class uses its own thread, because the common thread of
 * all preinitializers loads classes that Spring needs earlier.
 */
final class ApiClientPreinitializer implements BackgroundPreinitializer {

	private static final Logger logger = LoggerFactory.getLogger(ApiClientPreinitializer.class);

	private static final String KUBECONFIG = """
			apiVersion: v1
			kind: Config
			current-context: one
			contexts: [ { name: one, context: { cluster: one, user: one } } ]
			clusters: [ { name: one, cluster: { server: "https://localhost" } } ]
			users: [ { name: one, user: { token: none } } ]
			""";

	@Override
	public void preinitialize() {
		begin();
	}

	/**
	 * Starts loading.
	 * @return the thread, which ends when the classes are loaded
	 */
	Thread begin() {
		Thread thread = new Thread(ApiClientPreinitializer::load, "informer-preinit");
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private static void load() {
		try (ManagedApiClient client = Clients.of("http://localhost").build();
				Informers informers = Informers.builder(client).build()) {
			KubeconfigValues.of(KUBECONFIG, "The kubeconfig");
			informers.hooks().clientMisfit();
			logger.debug("Loaded {} in the background", informers.getClass().getSimpleName());
		}
		catch (Throwable ex) {
			// For example, the trust store cannot be read. Only log this, because the
			// application may never need the trust store.
			logger.debug("Loading in the background failed; the failure will be reported when the class is used", ex);
		}
	}

}
