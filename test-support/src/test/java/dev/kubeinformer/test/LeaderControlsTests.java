package dev.kubeinformer.test;

import java.net.http.HttpResponse;
import java.time.OffsetDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class LeaderControlsTests {

	private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

	private static final String LEASE = LEASES + "/app";

	private static final String WATCH = LEASES + "?watch=1&fieldSelector=metadata.name%3Dapp&resourceVersion=";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final LeaderControls leader = this.api.leader();

	private final ApiResources<V1Lease> leases = this.api.resources(V1Lease.class);

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	private V1Lease lease(String name, String holder) {
		return this.leases.create(new V1Lease().metadata(new V1ObjectMeta().name(name))
			.spec(new V1LeaseSpec().holderIdentity(holder).leaseDurationSeconds(20).leaseTransitions(6)));
	}

	private ObjectNode read() {
		HttpResponse<String> response = this.client.get(LEASE);
		assertThat(response.statusCode()).isEqualTo(200);
		return TestClient.json(response);
	}

	private HttpResponse<String> write(ObjectNode lease, String holder) {
		lease.withObject("spec").put("holderIdentity", holder);
		return this.client.send("PUT", LEASE, lease.toString());
	}

	private static String holder(JsonNode lease) {
		return lease.path("spec").path("holderIdentity").asString("");
	}

	@Test
	void revokeShouldTakeTheLeaseAtOnce() throws Exception {
		V1Lease held = lease("app", "mine");
		try (TestWatch watch = this.client.watch(WATCH + held.getMetadata().getResourceVersion()).opened()) {
			this.leader.revoke();
			JsonNode event = watch.event();
			assertThat(event.path("type").asString()).isEqualTo("MODIFIED");
			JsonNode spec = event.path("object").path("spec");
			assertThat(spec.path("holderIdentity").asString()).isEqualTo(LeaderControls.RIVAL);
			assertThat(spec.path("leaseDurationSeconds").asInt()).isEqualTo(20);
			assertThat(spec.path("leaseTransitions").asInt()).isEqualTo(7);
			assertThat(spec.path("renewTime").asString()).isEqualTo(spec.path("acquireTime").asString())
				.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
		}
		assertThat(this.leader.holder()).isEqualTo(LeaderControls.RIVAL);
	}

	@Test
	void renewalWhenRevokedShouldConflict() {
		lease("app", "mine");
		ObjectNode mine = read();
		this.leader.revoke();
		assertThat(write(mine, "mine").statusCode()).isEqualTo(409);
		assertThat(holder(read())).isEqualTo(LeaderControls.RIVAL);
	}

	@Test
	void revokedLeaseShouldBeRenewedAtEachRead() {
		lease("app", "mine");
		this.leader.revoke();
		JsonNode first = read().path("spec");
		JsonNode second = read().path("spec");
		assertThat(time(second, "renewTime")).isAfter(time(first, "renewTime"));
		assertThat(second.path("acquireTime")).isEqualTo(first.path("acquireTime"));
		assertThat(second.path("leaseTransitions").asInt()).isEqualTo(7);
	}

	private static OffsetDateTime time(JsonNode spec, String field) {
		return OffsetDateTime.parse(spec.path(field).asString());
	}

	@Test
	void revokedLeaseShouldNotBeTakenByWhoWaited() throws Exception {
		this.leader.revoke("default", "app");
		ObjectNode waited = read();
		try (TestWatch watch = this.client.watch(WATCH + waited.path("metadata").path("resourceVersion").asString())
			.opened()) {
			assertThat(write(waited, "mine").statusCode()).isEqualTo(409);
			assertThat(watch.event().path("type").asString()).isEqualTo("MODIFIED");
		}
		assertThat(this.leader.holder("default", "app")).isEqualTo(LeaderControls.RIVAL);
	}

	@Test
	void revokedLeaseWhenOverwrittenShouldBeTakenBack() {
		this.leader.revoke("default", "app");
		this.leases.edit("app", (lease) -> lease.getSpec().setHolderIdentity("mine"));
		assertThat(this.leader.holder()).isEqualTo("mine");
		assertThat(holder(read())).isEqualTo(LeaderControls.RIVAL);
	}

	@Test
	void leaseThatIsCreatedWhileRevokedShouldExistAlready() {
		this.leader.revoke();
		assertThat(this.leases.list()).isEmpty();
		HttpResponse<String> created = this.client.send("POST", LEASES,
				"{\"metadata\":{\"name\":\"app\"},\"spec\":{\"holderIdentity\":\"mine\"}}");
		assertThat(created.statusCode()).isEqualTo(409);
		assertThat(this.leader.holder()).isEqualTo(LeaderControls.RIVAL);
	}

	@Test
	void leaseThatIsReadWhileRevokedShouldExist() {
		this.leader.revoke();
		assertThat(holder(read())).isEqualTo(LeaderControls.RIVAL);
		assertThat(this.client.get(LEASE.replace("default", "nowhere")).statusCode()).isEqualTo(404);
		assertThat(this.client.get("/api/v1/namespaces/default/configmaps/app").statusCode()).isEqualTo(404);
	}

	@Test
	void revokeOfOneLeaseShouldSpareOthers() {
		lease("app", "mine");
		lease("other", "mine");
		this.leader.revoke("default", "other");
		assertThat(this.leader.holder("default", "other")).isEqualTo(LeaderControls.RIVAL);
		assertThat(write(read(), "mine").statusCode()).isEqualTo(200);
		assertThat(this.leader.holder("default", "app")).isEqualTo("mine");
	}

	@Test
	void grantShouldReleaseTheLeaseAtOnce() throws Exception {
		lease("app", "mine");
		this.leader.revoke();
		ObjectNode held = read();
		try (TestWatch watch = this.client.watch(WATCH + held.path("metadata").path("resourceVersion").asString())
			.opened()) {
			this.leader.grant();
			JsonNode spec = watch.event().path("object").path("spec");
			assertThat(spec.has("holderIdentity")).isFalse();
			assertThat(spec.path("leaseDurationSeconds").asInt()).isEqualTo(1);
			assertThat(spec.path("leaseTransitions").asInt()).isEqualTo(7);
		}
		assertThat(this.leader.holder()).isNull();
		assertThat(write(read(), "mine").statusCode()).isEqualTo(200);
		assertThat(this.leader.holder()).isEqualTo("mine");
	}

	@Test
	void grantShouldSpareTheLeasesOfOthers() {
		lease("app", "mine");
		this.leader.grant();
		this.leader.grant("default", "app");
		this.leader.grant("default", "none");
		assertThat(this.leader.holder()).isEqualTo("mine");
	}

	@Test
	void grantOfOneLeaseWhileAllAreRevokedShouldReleaseOnlyThat() {
		lease("app", "mine");
		lease("other", "mine");
		this.leader.revoke();
		this.leader.grant("default", "app");
		assertThat(this.leader.holder("default", "app")).isNull();
		assertThat(holder(read())).isEmpty();
		assertThat(this.leader.holder("default", "other")).isEqualTo(LeaderControls.RIVAL);
		this.leader.revoke("default", "app");
		assertThat(holder(read())).isEqualTo(LeaderControls.RIVAL);
	}

	@Test
	void revokedLeaseWhenReleasedBeforeShouldHaveTheUsualDuration() {
		lease("app", "mine");
		this.leader.revoke();
		this.leader.grant();
		this.leader.revoke();
		assertThat(read().path("spec").path("leaseDurationSeconds").asInt()).isEqualTo(15);
	}

	@Test
	void renewalWhenFrozenShouldNotBeAnsweredAndNeverBeCarriedOut() throws Exception {
		lease("app", "mine");
		Fault freeze = this.leader.freezeRenewals();
		ObjectNode mine = read();
		CompletableFuture<HttpResponse<String>> renewal = CompletableFuture.supplyAsync(() -> write(mine, "late"));
		await().until(() -> freeze.hits() == 1);
		assertThat(holder(read())).isEqualTo("mine");
		assertThat(renewal).isNotDone();
		this.leader.thawRenewals();
		assertThat(renewal.handle((answer, failure) -> failure).get(30, TimeUnit.SECONDS)).isNotNull();
		assertThat(holder(read())).isEqualTo("mine");
		assertThat(write(mine, "again").statusCode()).isEqualTo(200);
	}

	@Test
	void freezeOfOneLeaseShouldSpareOthers() {
		lease("app", "mine");
		this.leader.freezeRenewals("default", "other");
		assertThat(write(read(), "again").statusCode()).isEqualTo(200);
		this.client.send("POST", LEASES, "{\"metadata\":{\"name\":\"other\"}}");
		assertThat(this.leases.list()).hasSize(2);
	}

	@Test
	void frozenRenewalsWhenFaultIsRemovedShouldBeAnswered() {
		lease("app", "mine");
		this.leader.freezeRenewals().remove();
		assertThat(write(read(), "again").statusCode()).isEqualTo(200);
	}

	@Test
	void grantShouldThawRenewals() {
		lease("app", "mine");
		this.leader.freezeRenewals();
		this.leader.grant();
		assertThat(write(read(), "again").statusCode()).isEqualTo(200);
	}

	@Test
	void resetShouldEndWhatWasAskedFor() {
		lease("app", "mine");
		this.leader.revoke();
		this.leader.freezeRenewals();
		this.api.reset();
		assertThat(this.leases.list()).isEmpty();
		assertThat(this.client.get(LEASE).statusCode()).isEqualTo(404);
		lease("app", "mine");
		assertThat(write(read(), "again").statusCode()).isEqualTo(200);
	}

	@Test
	void resetShouldLeaveALeaseThatIsKeptWithItsHolder() {
		V1Lease held = lease("app", "mine");
		lease("other", "mine");
		this.leader.keepOnReset("default", "app", "mine");
		this.api.reset();
		assertThat(this.leases.list()).containsExactly(held);
		this.api.reset();
		assertThat(this.leases.list()).isEmpty();
	}

	@Test
	void resetShouldReleaseALeaseThatIsKeptForAnotherThanItsHolder() {
		lease("app", "theirs");
		this.leader.keepOnReset("default", "app", "mine");
		this.leader.keepOnReset("default", "none", "mine");
		this.api.reset();
		assertThat(this.leases.list()).hasSize(1);
		assertThat(this.leader.holder()).isNull();
	}

	@Test
	void resetShouldReleaseALeaseThatIsKeptAndRevoked() {
		lease("app", "mine");
		this.leader.keepOnReset("default", "app", "mine");
		this.leader.revoke();
		this.api.reset();
		assertThat(this.leases.list()).hasSize(1);
		assertThat(this.leader.holder()).isNull();
	}

	@Test
	void holderWhenThereAreSeveralLeasesShouldNameThem() {
		assertThat(this.leader.holder()).isNull();
		lease("app", "mine");
		lease("other", "mine");
		assertThatIllegalStateException().isThrownBy(this.leader::holder)
			.withMessageContaining("default/app, default/other");
	}

}
