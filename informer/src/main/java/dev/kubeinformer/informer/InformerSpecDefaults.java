package dev.kubeinformer.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Narrows informers that are requested by class alone, for example to the namespaces in
 * an application's configuration.
 */
public interface InformerSpecDefaults {

	/**
	 * Defaults that do not change any spec.
	 */
	InformerSpecDefaults NONE = new InformerSpecDefaults() {

		@Override
		public <T extends KubernetesObject> InformerSpec<T> apply(InformerSpec<T> spec) {
			return spec;
		}

	};

	/**
	 * Narrows a spec.
	 * @param <T> the model class
	 * @param spec the spec of all objects in the whole cluster
	 * @return the spec to use
	 */
	<T extends KubernetesObject> InformerSpec<T> apply(InformerSpec<T> spec);

}
