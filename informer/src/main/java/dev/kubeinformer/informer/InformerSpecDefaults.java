package dev.kubeinformer.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Narrows the informers that are asked for by class alone, such as to the namespaces that
 * an application's configuration names.
 */
public interface InformerSpecDefaults {

	/**
	 * Defaults that leave every spec as it is.
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
