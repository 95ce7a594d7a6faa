package dev.kubeinformer.spring.settings;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.resource.UnknownResourceTypeException;

/**
 * Finds the resource from a model class and the attribute {@code resource} of an
 * annotation. Internal to the starter.
 */
public final class NamedResources {

	private static final String DYNAMIC = DynamicKubernetesObject.class.getSimpleName();

	private NamedResources() {
	}

	/**
	 * Finds the resource of a model. If the model has only metadata, the objects of the
	 * resource are reduced to metadata.
	 * @param where the annotation and where it is declared, for messages
	 * @param model the model
	 * @param resource the name of the resource; {@code null} if it is not set
	 * @return the resource
	 * @throws InformerConfigurationException if the name is not valid, missing, or not
	 * allowed for the class
	 * @throws UnknownResourceTypeException if the class does not map to a resource
	 */
	public static ResourceType<? extends KubernetesObject> find(String where, ModelType model,
			@Nullable String resource) {
		if (model.isOpen() && resource == null) {
			throw new InformerConfigurationException(
					"%s is for 'Metadata' and says neither the class of the objects nor the name of their resource"
						.formatted(where),
					"Write the model class as type argument, such as 'Metadata<V1Pod>', or name the resource by plural, "
							+ "version and group: resource = \"widgets.v1.example.com\"; on an injection point by "
							+ "@InformerSource.",
					null);
		}
		ResourceType<? extends KubernetesObject> type = find(where, model.objectClass(), resource);
		return model.metadata() ? type.metadata() : type;
	}

	private static ResourceType<? extends KubernetesObject> find(String where,
			Class<? extends KubernetesObject> objectClass, @Nullable String resource) {
		boolean dynamic = objectClass == DynamicKubernetesObject.class;
		if (resource == null) {
			if (dynamic) {
				throw new InformerConfigurationException(
						"%s is for '%s' and does not name the resource of these objects".formatted(where, DYNAMIC),
						"Name it by plural, version and group: resource = \"widgets.v1.example.com\", or \"pods.v1.\" "
								+ "in the core group; on an injection point by @InformerSource.",
						null);
			}
			return ResourceType.of(objectClass);
		}
		if (!dynamic) {
			throw new InformerConfigurationException(
					"%s names the resource '%s' and is for '%s', which says its resource itself".formatted(where,
							resource, objectClass.getName()),
					"Use '%s' for the objects of a resource that is named, or remove the name.".formatted(DYNAMIC),
					null);
		}
		try {
			return ResourceType.parse(resource);
		}
		catch (IllegalArgumentException ex) {
			throw InformerConfigurationException
				.ofValue("%s has the wrong resource. %s".formatted(where, ex.getMessage()), ex);
		}
	}

}
