package dev.kubeinformer.docs;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.util.ModelMapper;

/**
 * Reads manifests by the models of the official client, which refuse fields that they do
 * not have.
 */
class Manifests {

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

	private static String group(String apiVersion) {
		return apiVersion.contains("/") ? apiVersion.replaceAll("/.*", "") : "";
	}

	private void validate(Class<?> model, Object value, List<String> problems) {
		try {
			model.getMethod("validateJsonElement", JsonElement.class).invoke(null, this.gson.toJsonTree(value));
		}
		catch (InvocationTargetException ex) {
			problems.add(String.valueOf(ex.getTargetException().getMessage()));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
