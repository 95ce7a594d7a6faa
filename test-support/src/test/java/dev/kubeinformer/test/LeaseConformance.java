package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Leases for leader election: the conditions for writing one, and their form. */
abstract class LeaseConformance extends Conformance {

	private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/NS/leases";

	private static final String LEASE = LEASES + "/l";

	private static final String OTHER_VERSION = "Operation cannot be fulfilled on leases.coordination.k8s.io \"l\": "
			+ "the object has been modified; please apply your changes to the latest version and try again";

	LeaseConformance(ApiTarget target) {
		super(target);
	}

	private static String lease(String version, String spec) {
		return "{kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: {name: 'l'"
				+ (version.isEmpty() ? "" : ", resourceVersion: '" + version + "'") + "}, spec: " + spec + "}";
	}

	private Answer hold(String version, String holder) {
		return put(LEASE, lease(version, "{holderIdentity: '" + holder + "'}"));
	}

	private static String spec(Answer answer) {
		return answer.hasCode(200).json().path("spec").toString().replace('"', '\'');
	}

	@Test
	void createOfLeaseThatExistsShouldConflict() {
		post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201);
		post(LEASES, lease("", "{holderIdentity: 'b'}")).isRejected(409, "AlreadyExists",
				"leases.coordination.k8s.io \"l\" already exists");
		assertThat(spec(get(LEASE))).isEqualTo("{'holderIdentity':'a'}");
	}

	@Test
	void updateOfTheCurrentVersionShouldReplaceTheLease() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a', leaseTransitions: 3}")).hasCode(201)
			.resourceVersion();
		Answer updated = hold(created, "b");
		assertThat(spec(updated)).isEqualTo("{'holderIdentity':'b'}");
		assertThat(updated.resourceVersion()).isNotEqualTo(created);
		assertThat(updated.metadata().has("generation")).isFalse();
	}

	@Test
	void updateOfAnOlderVersionShouldConflict() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201).resourceVersion();
		hold(created, "b").hasCode(200);
		hold(created, "c").isRejected(409, "Conflict", OTHER_VERSION);
		assertThat(spec(get(LEASE))).isEqualTo("{'holderIdentity':'b'}");
	}

	@Test
	void updateWithoutVersionShouldBeRefused() {
		post(LEASES, lease("", "{}")).hasCode(201);
		hold("", "b").isRejected(422, "Invalid",
				"leases.coordination.k8s.io \"l\" is invalid: " + "metadata.resourceVersion: Invalid value: "
						+ since(34, "0", "0x0") + ": must be specified for an update");
	}

	@Test
	void updateThatChangesNothingShouldKeepTheVersion() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201).resourceVersion();
		assertThat(hold(created, "a").hasCode(200).resourceVersion()).isEqualTo(created);
	}

	@Test
	void updateOfLeaseThatIsGoneShouldCreateIt() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201).resourceVersion();
		delete(LEASE).hasCode(200);
		Answer again = hold(created, "a").hasCode(201);
		assertThat(again.resourceVersion()).isNotEqualTo(created);
	}

	@Test
	void updateOfLeaseThatIsGoneWithItsUidShouldConflict() {
		Answer created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201);
		delete(LEASE).hasCode(200);
		put(LEASE, created.json().toString()).hasCode(409);
		get(LEASE).hasCode(404);
	}

	@Test
	void patchWithAnOlderVersionShouldConflict() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201).resourceVersion();
		hold(created, "b").hasCode(200);
		mergePatch(LEASE, "{metadata: {resourceVersion: '" + created + "'}, spec: {holderIdentity: 'c'}}")
			.isRejected(409, "Conflict", OTHER_VERSION);
		mergePatch(LEASE, "{spec: {holderIdentity: 'c'}}").hasCode(200);
	}

	@Test
	void deleteOfAnotherVersionShouldConflict() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201).resourceVersion();
		hold(created, "b").hasCode(200);
		delete(LEASE, "{preconditions: {resourceVersion: '" + created + "'}}").hasCode(409);
		get(LEASE).hasCode(200);
	}

	@ParameterizedTest
	@CsvSource({ "2026-01-01T00:00:00.123456Z, 2026-01-01T00:00:00.123456Z",
			"2026-01-01T00:00:00.000000Z, 2026-01-01T00:00:00.000000Z",
			"2026-01-01T01:00:00.120000+01:00, 2026-01-01T00:00:00.120000Z" })
	void timesShouldHaveMicrosecondsInUtc(String written, String read) {
		post(LEASES, lease("", "{acquireTime: '" + written + "'}")).hasCode(201);
		assertThat(spec(get(LEASE))).isEqualTo("{'acquireTime':'" + read + "'}");
		assertThat(spec(mergePatch(LEASE, "{spec: {renewTime: '" + written + "'}}")))
			.isEqualTo("{'acquireTime':'" + read + "','renewTime':'" + read + "'}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00.123456789Z",
			"yesterday", "" })
	void timesOfAnotherFormShouldBeRefused(String time) {
		post(LEASES, lease("", "{renewTime: '" + time + "'}")).hasCode(400);
		Answer created = post(LEASES, lease("", "{renewTime: null}")).hasCode(201);
		assertThat(created.json().path("spec").toString()).isEqualTo("{}");
		put(LEASE, lease(created.resourceVersion(), "{renewTime: '" + time + "'}")).hasCode(400);
	}

	@Test
	void releasedLeaseShouldHaveNoHolder() {
		String created = post(LEASES, lease("", "{holderIdentity: 'a', leaseDurationSeconds: 15}")).hasCode(201)
			.resourceVersion();
		Answer released = put(LEASE, lease(created, "{leaseDurationSeconds: 1, leaseTransitions: 4}"));
		assertThat(spec(released)).isEqualTo("{'leaseDurationSeconds':1,'leaseTransitions':4}");
		Answer emptied = put(LEASE, lease(released.resourceVersion(), "{holderIdentity: ''}"));
		assertThat(spec(emptied)).isEqualTo("{'holderIdentity':''}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			leaseDurationSeconds | 0  | must be greater than 0
			leaseDurationSeconds | -3 | must be greater than 0
			leaseTransitions     | -1 | must be greater than or equal to 0
			""")
	void numbersShouldHaveALowerBound(String field, int value, String why) {
		String invalid = "{" + field + ": " + value + "}";
		String message = "Lease.coordination.k8s.io \"l\" is invalid: spec." + field + ": Invalid value: " + value
				+ ": " + why;
		post(LEASES, lease("", invalid)).isRejected(422, "Invalid", message);
		post(LEASES, lease("", "{}")).hasCode(201);
		mergePatch(LEASE, "{spec: " + invalid + "}").isRejected(422, "Invalid", message);
	}

	@Test
	void preferredHolderShouldBeKept() {
		Answer created = post(LEASES,
				lease("", "{holderIdentity: 'a', strategy: 'OldestEmulationVersion', preferredHolder: 'b'}"))
			.hasCode(201);
		assertThat(created.json().path("spec").size()).isEqualTo(expected(Difference.COORDINATED_LEASES, 3, 1));
		Answer updated = mergePatch(LEASE, "{spec: {preferredHolder: 'c'}}").hasCode(200);
		assertThat(updated.json().at("/spec/preferredHolder").asString(""))
			.isEqualTo(expected(Difference.COORDINATED_LEASES, "c", ""));
	}

	@Test
	void preferredHolderShouldNeedAStrategy() {
		post(LEASES, lease("", "{preferredHolder: 'b'}")).hasCode(expected(Difference.COORDINATED_LEASES, 422, 201));
	}

	@Test
	void watchOfOneLeaseShouldBringItsChangesOnly() throws Exception {
		String created = post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201).resourceVersion();
		LineStream watch = watch(LEASES + "?watch=true&fieldSelector=metadata.name%3Dl&resourceVersion=" + created);
		post(LEASES, lease("", "{}").replace("'l'", "'other'")).hasCode(201);
		hold(created, "b").hasCode(200);
		delete(LEASE).hasCode(200);
		assertThat(watch.next()).isEqualTo("MODIFIED l");
		assertThat(watch.last().at("/object/spec/holderIdentity").asString()).isEqualTo("b");
		assertThat(watch.next()).isEqualTo("DELETED l");
	}

	@Test
	void listShouldNotSelectByHolder() {
		post(LEASES, lease("", "{holderIdentity: 'a'}")).hasCode(201);
		assertThat(get(LEASES + "?fieldSelector=metadata.name%3Dl").hasCode(200).names()).containsExactly("l");
		get(LEASES + "?fieldSelector=spec.holderIdentity%3Da").hasCode(400);
	}

}
