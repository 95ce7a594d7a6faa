package dev.kubeinformer.informer;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * RBAC rule that an informer needs.
 *
 * @param apiGroup the API group, empty for the core group
 * @param resource the plural name of the resource
 * @param resourceNames the name of the only object that is read; empty for all objects
 * @param verbs the verbs, {@code list} and {@code watch}
 * @param namespace the namespace of the required {@code Role}, or {@code null} for a
 * {@code ClusterRole}
 */
public record RequiredRbac(String apiGroup, String resource, List<String> resourceNames, List<String> verbs,
		@Nullable String namespace) {

	@Override
	public String toString() {
		String names = this.resourceNames.isEmpty() ? "" : ", resourceNames: " + quoted(this.resourceNames);
		String rule = "apiGroups: [\"%s\"], resources: [\"%s\"]%s, verbs: %s".formatted(this.apiGroup, this.resource,
				names, quoted(this.verbs));
		return (this.namespace != null) ? "Role in namespace '%s' with %s".formatted(this.namespace, rule)
				: "ClusterRole with " + rule;
	}

	private static String quoted(List<String> texts) {
		return "[\"" + String.join("\", \"", texts) + "\"]";
	}

}
