package dev.kubeinformer.test.internal.write;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.patch.FieldManager;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;

/**
 * Options of a write.
 *
 * @param overHttp {@code true} for a write by a client; {@code false} for direct access
 * by a test, to which fewer rules apply
 * @param manager the field manager, whose name is recorded in
 * {@code metadata.managedFields}
 * @param named {@code true} if the request names its field manager
 * @param subresource the subresource, empty for none
 * @param dryRun {@code true} to store nothing
 * @param apply {@code true} for a server-side apply; {@code false} for any other write
 * @param force {@code true} if a server-side apply overrides other managers;
 * {@code false} if it fails with a conflict
 * @param fields the treatment of unknown fields
 */
public record WriteOptions(boolean overHttp, String manager, boolean named, String subresource, boolean dryRun,
		boolean apply, boolean force, FieldChecks fields) {

	/**
	 * Options of a write by a test, to which the rules for clients do not apply.
	 */
	public static final WriteOptions DIRECT = new WriteOptions(false, "", false, "", false, false, false,
			FieldChecks.NONE);

	/**
	 * Options of a client's write without query parameters. Warnings are dropped.
	 */
	public static final WriteOptions CLIENT = new WriteOptions(true, "test", false, "", false, false, false,
			new FieldChecks("", (warning) -> {
			}, List::of));

	private static final Set<String> VALIDATIONS = Set.of("", "Ignore", "Strict", "Warn");

	private static final String FIELD_MANAGER = "fieldManager";

	private static final String FORCE = "force";

	private static final int MANAGER_LIMIT = 128;

	/**
	 * Reads the query of a write.
	 * @param request the request
	 * @param kind the kind of options, such as "CreateOptions", for messages
	 * @param apply {@code true} for a server-side apply
	 * @param warnings receives the warnings for the client
	 * @param duplicates finds fields that the body sets twice
	 * @return the options
	 */
	public static WriteOptions of(ApiRequest request, String kind, boolean apply, Consumer<String> warnings,
			Supplier<List<String>> duplicates) {
		Query query = new Query(request.query());
		String manager = query.text(FIELD_MANAGER);
		if (manager.length() > MANAGER_LIMIT) {
			throw Rejection.ofOptions(kind,
					new Rejection(FIELD_MANAGER, "FieldValueTooLong", "Too long: may not be more than 128 bytes"));
		}
		if (apply && manager.isEmpty()) {
			throw Rejection.ofOptions(kind, Rejection.required(FIELD_MANAGER, "is required for apply patch"));
		}
		if (!apply && query.parameters().containsKey(FORCE) && kind.startsWith("Patch")) {
			throw Rejection.ofOptions(kind, Rejection.forbidden(FORCE, "may not be specified for non-apply patch"));
		}
		String validation = query.text("fieldValidation");
		if (!VALIDATIONS.contains(validation)) {
			throw Rejection.ofOptions(kind, Rejection.unsupported("fieldValidation", "\"" + validation + "\"",
					"\"\", \"Ignore\", \"Strict\", \"Warn\""));
		}
		ApiPath path = ApiPath.parse(request.path());
		String subresource = (path != null && path.subresource() != null) ? path.subresource() : "";
		return new WriteOptions(true, (manager.isEmpty()) ? agent(request) : manager, !manager.isEmpty(), subresource,
				dryRun(query, kind), apply, query.flag(FORCE), new FieldChecks(validation, warnings, duplicates));
	}

	static boolean dryRun(Query query, String kind) {
		String value = query.parameters().get("dryRun");
		checkDryRun(kind, value);
		return value != null;
	}

	static void checkDryRun(String kind, @Nullable String value) {
		if (value != null && !"All".equals(value)) {
			throw Rejection.ofOptions(kind, Rejection.unsupported("dryRun", "[\"" + value + "\"]", "\"All\""));
		}
	}

	private static String agent(ApiRequest request) {
		String agent = request.header("User-Agent").split("/", 2)[0];
		return (agent.isEmpty()) ? "unknown" : agent;
	}

	FieldManager updater(ResourceDefinition type) {
		return manager(type, FieldManager.UPDATE);
	}

	public FieldManager applier(ResourceDefinition type) {
		return manager(type, FieldManager.APPLY);
	}

	private FieldManager manager(ResourceDefinition type, String operation) {
		return new FieldManager(this.manager, operation, type.groupVersion(), this.subresource, Timestamps.now(),
				Set.of());
	}

}
