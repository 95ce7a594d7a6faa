package dev.kubeinformer.docs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.util.ModelMapper;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Reads manifests by the models of the official client, which refuse fields that they do
 * not have.
 */
class Manifests {

	private static final String MODELS = V1PolicyRule.class.getPackageName() + ".";

	private static final String VALIDATE = "validateJsonElement";

	private final Gson gson = new Gson();

	/**
	 * What is wrong in a manifest, or in a list of the rules of a role.
	 */
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
		if (model != null) {
			validate(model, document, problems);
		}
		else if (!apiVersion.matches(".*\\..*/.*")
				|| apiVersion.matches("(apps|batch|.*\\.authorization\\.k8s\\.io)/.*")) {
			problems.add("there is no '%s' in '%s'".formatted(manifest.get("kind"), apiVersion));
		}
		return problems;
	}

	/**
	 * What is wrong in some fields of a model of the official client; nothing where it
	 * has no such model.
	 */
	List<String> problemsOfPart(String name, Object document) {
		List<String> problems = new ArrayList<>();
		Class<?> model = ClassUtils.isPresent(MODELS + name, null) ? ClassUtils.resolveClassName(MODELS + name, null)
				: null;
		if (model != null && document instanceof Map<?, ?> fields) {
			fields.forEach((key, value) -> {
				Method getter = ReflectionUtils.findMethod(model, "get" + StringUtils.capitalize(String.valueOf(key)));
				if (getter == null) {
					problems.add("%s has no '%s'".formatted(name, key));
				}
				else if (ReflectionUtils.findMethod(getter.getReturnType(), VALIDATE, JsonElement.class) != null) {
					validate(getter.getReturnType(), value, problems);
				}
			});
		}
		return problems;
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
