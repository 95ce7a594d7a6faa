package dev.kubeinformer.test.internal.write;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Options of a delete.
 *
 * @param uid the UID that the object must have, or {@code null}
 * @param resourceVersion the resourceVersion that the object must have, or {@code null}
 * @param gracePeriodSeconds the grace period, or {@code null}
 * @param dryRun {@code true} to delete nothing
 * @param propagation the effect on the dependents of the object, if the server collects
 * garbage
 * @param cascading whether the request has {@code orphanDependents=false}; if so, the
 * response is 202 while the object still exists
 */
public record DeleteOptions(@Nullable String uid, @Nullable String resourceVersion, @Nullable Long gracePeriodSeconds,
		boolean dryRun, Propagation propagation, boolean cascading) {

	private static final String KIND = "DeleteOptions";

	private static final String GRACE = "gracePeriodSeconds";

	private static final String PROPAGATION = "propagationPolicy";

	private static final String ORPHAN = "orphanDependents";

	private static final Set<String> POLICIES = Set.of("", "Foreground", "Background", "Orphan");

	/**
	 * Reads the options from the body, or from the query if the body has none.
	 * @param body the body, empty if there is none
	 * @param query the query
	 * @return the options
	 */
	public static DeleteOptions of(ObjectNode body, Query query) {
		String kind = Json.text(body, "kind");
		if (kind != null && !KIND.equals(kind)) {
			throw Statuses.badRequest("no kind \"" + kind + "\" is registered for version \""
					+ body.path("apiVersion").asString("") + "\"");
		}
		String policy = policy(body, query);
		checkPropagation(policy, body.has(ORPHAN) || query.flag(ORPHAN));
		body.path("dryRun").forEach((value) -> WriteOptions.checkDryRun(KIND, value.asString("")));
		boolean dryRun = WriteOptions.dryRun(query, KIND) || !body.path("dryRun").isEmpty();
		JsonNode preconditions = body.path("preconditions");
		Boolean orphan = orphan(body, query);
		Propagation propagation = (orphan != null && policy.isEmpty())
				? ((orphan) ? Propagation.ORPHAN : Propagation.BACKGROUND) : Propagation.named(policy);
		return new DeleteOptions(Json.text(preconditions, "uid"), Json.text(preconditions, "resourceVersion"),
				gracePeriod(body, query), dryRun, propagation, Boolean.FALSE.equals(orphan));
	}

	private static @Nullable Boolean orphan(ObjectNode body, Query query) {
		if (body.path(ORPHAN).isBoolean()) {
			return body.path(ORPHAN).asBoolean();
		}
		return (query.text(ORPHAN).isEmpty()) ? null : Boolean.valueOf(query.flag(ORPHAN));
	}

	/**
	 * Creates the options of a delete of exactly one state of an object.
	 * @param uid the UID that the object must have
	 * @param resourceVersion the resourceVersion that the object must have
	 * @param propagation the effect on the dependents of the object
	 * @return the options
	 */
	public static DeleteOptions exactly(String uid, String resourceVersion, Propagation propagation) {
		return new DeleteOptions(uid, resourceVersion, null, false, propagation, false);
	}

	private static String policy(ObjectNode body, Query query) {
		return (body.has(PROPAGATION)) ? body.path(PROPAGATION).asString("") : query.text(PROPAGATION);
	}

	private static void checkPropagation(String policy, boolean orphan) {
		if (!POLICIES.contains(policy)) {
			throw Rejection.ofOptions(KIND, Rejection.unsupported(PROPAGATION, "\"" + policy + "\"",
					"\"Foreground\", \"Background\", \"Orphan\", \"nil\""));
		}
		if (!policy.isEmpty() && orphan) {
			throw Rejection.ofOptions(KIND, Rejection.value(PROPAGATION, policy,
					"orphanDependents and deletionPropagation cannot be both set"));
		}
	}

	private static @Nullable Long gracePeriod(ObjectNode body, Query query) {
		JsonNode period = body.path(GRACE);
		if (period.isIntegralNumber()) {
			return period.asLong();
		}
		if (!period.isMissingNode() && !period.isNull()) {
			throw Statuses.badRequest(
					"json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64");
		}
		return (query.text(GRACE).isEmpty()) ? null : query.number(GRACE);
	}

	void check(ResourceDefinition type, PersistedObject object) {
		GroupResource kind = new GroupResource(type.group(), type.kind());
		String actual = object.tree().path("metadata").path("uid").asString();
		if (this.uid != null && !this.uid.equals(actual)) {
			throw Statuses.conflict(kind, object.key().name(),
					"the UID in the precondition (" + this.uid + ") does not match the UID in record (" + actual
							+ "). The object might have been deleted and then recreated");
		}
		String revision = Long.toString(object.revision());
		if (this.resourceVersion != null && !this.resourceVersion.equals(revision)) {
			throw Statuses.conflict(kind, object.key().name(),
					"the ResourceVersion in the precondition (" + this.resourceVersion
							+ ") does not match the ResourceVersion in record (" + revision
							+ "). The object might have been modified");
		}
	}

}
