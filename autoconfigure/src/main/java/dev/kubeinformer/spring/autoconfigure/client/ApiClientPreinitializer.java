package dev.kubeinformer.spring.autoconfigure.client;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

/**
 * Loads what an {@link io.kubernetes.client.openapi.ApiClient} needs while Spring
 * prepares the context: adapters of Gson for all models, OkHttp, and the trust store of
 * the JVM.
 */
final class ApiClientPreinitializer implements BackgroundPreinitializer {

	@Override
	public void preinitialize() {
		new ManagedApiClient().close();
	}

}
