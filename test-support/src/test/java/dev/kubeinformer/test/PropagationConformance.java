package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Finalizers that a deletion adds to its object for the garbage collector. Another
 * finalizer keeps the object, with or without a collector.
 */
abstract class PropagationConformance extends Conformance {

	private static final String HELD = "{metadata: {name: 'a', finalizers: ['example.com/held']}, type: 'Opaque'}";

	PropagationConformance(ApiTarget target) {
		super(target);
	}

	private static String finalizers(Answer answer) {
		return answer.hasCode(200).body().at("/metadata/finalizers").toString();
	}

	private void end(String path) {
		mergePatch(path, "{metadata: {finalizers: null}}").hasCode(200);
		get(path).hasCode(404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{propagationPolicy: 'Background'} | ["example.com/held"]
			{propagationPolicy: 'Foreground'} | ["example.com/held","foregroundDeletion"]
			{propagationPolicy: 'Orphan'}     | ["example.com/held","orphan"]
			{orphanDependents: true}          | ["example.com/held","orphan"]
			{}                                | ["example.com/held"]
			""", quoteCharacter = '`')
	void deleteShouldNoteThePolicy(String options, String noted) {
		post(SECRETS, HELD).hasCode(201);
		assertThat(finalizers(delete(SECRETS + "/a", options))).isEqualTo(noted);
		end(SECRETS + "/a");
	}

	@Test
	void deleteThatAsksForNoOrphansShouldBeAccepted() {
		post(SECRETS, HELD).hasCode(201);
		Answer accepted = delete(SECRETS + "/a", "{orphanDependents: false}").hasCode(202);
		assertThat(accepted.body().at("/metadata/finalizers").toString()).isEqualTo("[\"example.com/held\"]");
		end(SECRETS + "/a");
	}

	@Test
	void deleteWithQueryShouldNoteThePolicy() {
		post(SECRETS, HELD).hasCode(201);
		assertThat(finalizers(delete(SECRETS + "/a?propagationPolicy=Foreground")))
			.isEqualTo("[\"example.com/held\",\"foregroundDeletion\"]");
		end(SECRETS + "/a");
	}

	@Test
	void deleteWithoutPolicyShouldKeepWhatTheObjectHas() {
		post(SECRETS, "{metadata: {name: 'a', finalizers: ['foregroundDeletion', 'example.com/held']}}").hasCode(201);
		assertThat(finalizers(delete(SECRETS + "/a"))).isEqualTo("[\"foregroundDeletion\",\"example.com/held\"]");
		assertThat(finalizers(delete(SECRETS + "/a", "{propagationPolicy: 'Background'}")))
			.isEqualTo("[\"example.com/held\"]");
		end(SECRETS + "/a");
	}

	@Test
	void deleteWhenPolicyRemovesTheLastFinalizerShouldEndTheObject() {
		post(SECRETS, "{metadata: {name: 'a', finalizers: ['foregroundDeletion']}}").hasCode(201);
		assertThat(delete(SECRETS + "/a", "{propagationPolicy: 'Background'}").hasCode(200)
			.body()
			.path("status")
			.asString()).isEqualTo("Success");
		get(SECRETS + "/a").hasCode(404);
	}

	@Test
	void deleteOfTypesOfOldShouldLeaveOrphans() {
		String jobs = "/apis/batch/v1/namespaces/NS/jobs";
		post(jobs, """
				{metadata: {name: 'a', finalizers: ['example.com/held']}, spec: {template: {spec:
				{restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}}}}""").hasCode(201);
		assertThat(finalizers(delete(jobs + "/a"))).isEqualTo("[\"example.com/held\",\"orphan\"]");
		end(jobs + "/a");
	}

	@Test
	void deleteCollectionShouldNoteThePolicy() {
		String uid = post(SECRETS, HELD).hasCode(201).metadata().path("uid").asString();
		String dependent = NAMESPACE + "/configmaps/dependent";
		// It keeps the owner from its end, where there is a collector.
		post(NAMESPACE + "/configmaps",
				"{metadata: {name: 'dependent', finalizers: ['example.com/held'], ownerReferences: [{apiVersion: 'v1', "
						+ "kind: 'Secret', name: 'a', uid: '" + uid + "', blockOwnerDeletion: true}]}}")
			.hasCode(201);
		delete(SECRETS + "?propagationPolicy=Foreground").hasCode(200);
		assertThat(finalizers(get(SECRETS + "/a"))).isEqualTo("[\"example.com/held\",\"foregroundDeletion\"]");
		mergePatch(dependent, "{metadata: {finalizers: null}}").hasCode(200);
		end(SECRETS + "/a");
	}

	@Test
	void deletePodInForegroundShouldKeepItsGracePeriod() {
		post(PODS, pod("p", "node")).hasCode(201);
		Answer deleted = delete(PODS + "/p", "{propagationPolicy: 'Foreground', gracePeriodSeconds: 20}");
		assertThat(finalizers(deleted)).isEqualTo("[\"foregroundDeletion\"]");
		assertThat(deleted.metadata().path("deletionGracePeriodSeconds").asInt()).isEqualTo(20);
		delete(PODS + "/p", "{propagationPolicy: 'Background', gracePeriodSeconds: 0}").hasCode(200);
		get(PODS + "/p").hasCode(404);
	}

}
