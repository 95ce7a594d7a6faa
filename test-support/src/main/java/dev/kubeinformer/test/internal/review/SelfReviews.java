package dev.kubeinformer.test.internal.review;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.http.Bodies;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * What users may ask about themselves: who they are and what they may do.
 */
public final class SelfReviews {

	private static final String ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

	private static final String IDENTITY = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

	private SelfReviews() {
	}

	public static boolean isAt(String path) {
		return ACCESS.equals(path) || IDENTITY.equals(path);
	}

	public static void answer(Exchange exchange, @Nullable User user) {
		if (!"POST".equals(exchange.recorded().method())) {
			throw Statuses.methodNotAllowed("");
		}
		ObjectNode review = Bodies.object(exchange, "SelfSubjectReview");
		if (ACCESS.equals(exchange.recorded().path())) {
			review.putObject("status").put("allowed", isAllowed(review.path("spec"), user));
		}
		else {
			review.putObject("status")
				.putObject("userInfo")
				.put("username", (user != null) ? user.name() : "system:anonymous");
		}
		exchange.json(201, review);
	}

	private static boolean isAllowed(JsonNode spec, @Nullable User user) {
		if (user == null) {
			return true;
		}
		JsonNode asked = spec.path("resourceAttributes");
		if (!asked.isObject()) {
			return user.mayAll();
		}
		GroupResource resource = new GroupResource(asked.path("group").asString(""),
				asked.path("resource").asString(""));
		return user.may(asked.path("verb").asString(""), resource, Json.text(asked, "subresource"),
				Json.text(asked, "namespace"));
	}

}
