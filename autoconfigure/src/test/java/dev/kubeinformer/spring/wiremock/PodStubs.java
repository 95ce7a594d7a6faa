package dev.kubeinformer.spring.wiremock;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Watch;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;

/**
 * Stubs of lists and watches of pods.
 */
final class PodStubs {

	private static final String PATH = "/api/v1/pods";

	/** More than any test takes, one each 50 ms. */
	private static final int BOOKMARKS = 2400;

	private PodStubs() {
	}

	static MappingBuilder list() {
		return get(urlPathEqualTo(PATH)).withQueryParam("watch", absent());
	}

	static MappingBuilder watch(String version) {
		return get(urlPathEqualTo(PATH)).withQueryParam("watch", equalTo("true"))
			.withQueryParam("resourceVersion", equalTo(version));
	}

	static RequestPatternBuilder lists() {
		return getRequestedFor(urlPathEqualTo(PATH)).withQueryParam("watch", absent());
	}

	static RequestPatternBuilder watches(String version) {
		return getRequestedFor(urlPathEqualTo(PATH)).withQueryParam("watch", equalTo("true"))
			.withQueryParam("resourceVersion", equalTo(version));
	}

	/**
	 * A whole list.
	 */
	static ResponseDefinitionBuilder pods(String version, V1Pod... pods) {
		return json(JSON
			.serialize(new V1PodList().metadata(new V1ListMeta().resourceVersion(version)).items(List.of(pods))));
	}

	/**
	 * A watch that sends events in pieces, wherever they are cut, and ends.
	 */
	static ResponseDefinitionBuilder dribbled(int pieces, int millis, String... events) {
		return json(Stream.of(events).collect(Collectors.joining("\n", "", "\n"))).withChunkedDribbleDelay(pieces,
				millis);
	}

	/**
	 * A watch that stays open and sends nothing but bookmarks.
	 */
	static ResponseDefinitionBuilder open(String version) {
		String bookmark = event("BOOKMARK", new V1Pod().metadata(new V1ObjectMeta().resourceVersion(version)));
		return json((bookmark + "\n").repeat(BOOKMARKS)).withChunkedDribbleDelay(BOOKMARKS, 50 * BOOKMARKS);
	}

	static ResponseDefinitionBuilder status(int code, String reason) {
		return json(JSON.serialize(failure(code, reason))).withStatus(code);
	}

	static String event(String type, Object object) {
		return JSON.serialize(new Watch.Response<>(type, object));
	}

	static V1Status failure(int code, String reason) {
		return new V1Status().apiVersion("v1").kind("Status").status("Failure").code(code).reason(reason);
	}

	static V1Pod pod(String name, String version) {
		return new V1Pod()
			.metadata(new V1ObjectMeta().namespace("shop").name(name).uid("uid-of-" + name).resourceVersion(version));
	}

	private static ResponseDefinitionBuilder json(String body) {
		return aResponse().withHeader("Content-Type", "application/json").withBody(body);
	}

}
