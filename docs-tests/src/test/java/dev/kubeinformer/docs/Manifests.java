package dev.kubeinformer.docs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.util.ModelMapper;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Reads manifests by the models of the official client, which refuse fields that they do
 * not have.
 */
class Manifests {

	private static final List<Class<?>> PARTS = List.of(V1Container.class, V1PodSpec.class, V1DeploymentSpec.class);

	private static final String VALIDATE = "validateJsonElement";

	private final Gson gson = new Gson();

	/** Returns the problems of a manifest, or of a list of a role's rules. */
	List<String> problems(Object document) {
		List<String> problems = new ArrayList<>();
		if (document instanceof List<?> rules) {
			rules.forEach((rule) -> validate(V1PolicyRule.class, rule, problems));
			return problems;
		}
		Map<?, ?> manifest = (Map<?, ?>) document;
		String apiVersion = String.valueOf(manifest.get("apiVersion"));
		Class<?> model = ModelMapper.getApiTypeClass(group(apiVersion), apiVersion.replaceAll(".*/", ""),
				String.valueOf(manifest.get("kind")));
		// A custom kind is a dynamic object as soon as anything in this JVM has asked for
		// one.
		if (model != null && model != DynamicKubernetesObject.class) {
			validate(model, document, problems);
		}
		else if (!apiVersion.matches(".*\\..*/.*")
				|| apiVersion.matches("(apps|batch|.*\\.authorization\\.k8s\\.io)/.*")) {
			problems.add("there is no '%s' in '%s'".formatted(manifest.get("kind"), apiVersion));
		}
		return problems;
	}

	/**
	 * The model that has all these fields, of those that pages show parts of.
	 */
	@Nullable Class<?> modelOfPart(Object document) {
		if (document instanceof Map<?, ?> fields) {
			for (Class<?> model : PARTS) {
				if (fields.keySet().stream().allMatch((field) -> getter(model, field) != null)) {
					return model;
				}
			}
		}
		return null;
	}

	/** Returns the problems of some fields of a model. */
	List<String> problemsOfPart(Class<?> model, Object document) {
		List<String> problems = new ArrayList<>();
		((Map<?, ?>) document).forEach((field, value) -> {
			Class<?> type = getter(model, field).getReturnType();
			if (ReflectionUtils.findMethod(type, VALIDATE, JsonElement.class) != null) {
				validate(type, value, problems);
			}
		});
		return problems;
	}

	private static @Nullable Method getter(Class<?> model, Object field) {
		return ReflectionUtils.findMethod(model, "get" + StringUtils.capitalize(String.valueOf(field)));
	}

	private static String group(String apiVersion) {
		return apiVersion.contains("/") ? apiVersion.replaceAll("/.*", "") : "";
	}

	private void validate(Class<?> model, Object value, List<String> problems) {
		try {
			model.getMethod(VALIDATE, JsonElement.class).invoke(null, this.gson.toJsonTree(value));
		}
		catch (InvocationTargetException ex) {
			problems.add(String.valueOf(ex.getTargetException().getMessage()));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
