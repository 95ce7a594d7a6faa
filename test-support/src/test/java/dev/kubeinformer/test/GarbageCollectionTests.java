package dev.kubeinformer.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class GarbageCollectionTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps/";

	private static final String SECRETS = "/api/v1/namespaces/default/secrets/";

	private static final String ABSENT = "11111111-2222-3333-4444-555555555555";

	private final Set<Thread> before = Thread.getAllStackTraces().keySet();

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().garbageCollection(true).start();

	private final ApiResources<V1ConfigMap> owners = this.api.resources(V1ConfigMap.class);

	private final ApiResources<V1Secret> dependents = this.api.resources(V1Secret.class);

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient(this.api.url());
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void deleteShouldCollectDependentsOfDependentsInBackground() {
		V1ConfigMap owner = owner("a");
		V1Secret child = dependent("child", reference(owner));
		dependent("grandchild", reference("v1", "Secret", "child", child.getMetadata().getUid()));
		dependent("other", reference(owner("b")));
		delete(CONFIG_MAPS + "a", "Background");
		assertThat(status(CONFIG_MAPS + "a")).isEqualTo(404);
		awaitGone(SECRETS + "child");
		awaitGone(SECRETS + "grandchild");
		assertThat(status(SECRETS + "other")).isEqualTo(200);
	}

	@Test
	void deleteByTestShouldCollectDependents() {
		dependent("child", reference(owner("a")));
		this.owners.delete("default", "a");
		awaitGone(SECRETS + "child");
	}

	@Test
	void dependentWhenOneOwnerRemainsShouldOnlyLoseTheReference() {
		V1ConfigMap staying = owner("staying");
		dependent("child", reference(owner("a")), reference(staying));
		delete(CONFIG_MAPS + "a", "Background");
		awaitOwners("child", staying);
		this.owners.delete("default", "staying");
		awaitGone(SECRETS + "child");
	}

	@Test
	void dependentWhenOwnerNeverExistedShouldBeCollected() {
		dependent("child", reference("v1", "ConfigMap", "nobody", ABSENT));
		awaitGone(SECRETS + "child");
	}

	@Test
	void dependentWhenOwnerHasAnotherUidShouldBeCollected() {
		owner("a");
		dependent("child", reference("v1", "ConfigMap", "a", ABSENT));
		awaitGone(SECRETS + "child");
	}

	@Test
	void dependentWhenOwnerIsInAnotherNamespaceShouldBeCollected() {
		V1ConfigMap owner = this.owners
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().name("a").namespace("kube-system")));
		dependent("child", reference(owner));
		awaitGone(SECRETS + "child");
		assertThat(status("/api/v1/namespaces/kube-system/configmaps/a")).isEqualTo(200);
	}

	@Test
	void dependentWhenOwnerIsOfTheClusterShouldFollowIt() {
		ApiResources<V1ClusterRole> roles = this.api.resources(V1ClusterRole.class);
		V1ClusterRole role = roles.create(new V1ClusterRole().metadata(new V1ObjectMeta().name("role")));
		dependent("child",
				reference("rbac.authorization.k8s.io/v1", "ClusterRole", "role", role.getMetadata().getUid()));
		dependent("witness", reference("v1", "ConfigMap", "nobody", ABSENT));
		awaitGone(SECRETS + "witness");
		assertThat(status(SECRETS + "child")).isEqualTo(200);
		roles.delete("role");
		awaitGone(SECRETS + "child");
	}

	@Test
	void dependentWhenItCannotBeJudgedShouldStay() {
		V1ClusterRole ofCluster = new V1ClusterRole().metadata(new V1ObjectMeta().name("role"));
		ofCluster.getMetadata().setOwnerReferences(List.of(reference("v1", "ConfigMap", "nobody", ABSENT)));
		this.api.resources(V1ClusterRole.class).create(ofCluster);
		dependent("unknown", reference("example.com/v1", "Widget", "w", ABSENT));
		dependent("witness", reference("v1", "ConfigMap", "nobody", ABSENT));
		awaitGone(SECRETS + "witness");
		assertThat(status(SECRETS + "unknown")).isEqualTo(200);
		assertThat(status("/apis/rbac.authorization.k8s.io/v1/clusterroles/role")).isEqualTo(200);
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		awaitGone(SECRETS + "unknown");
	}

	@Test
	void dependentsOfCustomResourceWhenDefinitionIsDeletedShouldBeCollected() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		JsonNode widget = TestClient.json(this.client.send("POST", "/apis/example.com/v1/namespaces/default/widgets",
				"{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\"}}"));
		dependent("child", reference("example.com/v1", "Widget", "w", widget.at("/metadata/uid").asString()));
		// When it is gone, the widgets have been looked at: of a kind that is not served,
		// nothing is known that was not known before.
		this.client.send("POST", "/apis/example.com/v1/namespaces/default/widgets", """
				{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"witness","ownerReferences":[
				{"apiVersion":"v1","kind":"ConfigMap","name":"nobody","uid":"%s"}]}}""".formatted(ABSENT));
		awaitGone("/apis/example.com/v1/namespaces/default/widgets/witness");
		this.client.send("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com", "");
		awaitGone(SECRETS + "child");
	}

	@Test
	void foregroundDeleteShouldWaitForBlockingDependents() {
		V1ConfigMap owner = owner("a");
		V1Secret blocking = secret("blocking", reference(owner).blockOwnerDeletion(true));
		blocking.getMetadata().setFinalizers(List.of("example.com/held"));
		this.dependents.create(blocking);
		V1Secret free = secret("free", reference(owner));
		free.getMetadata().setFinalizers(List.of("example.com/held"));
		this.dependents.create(free);
		JsonNode answer = delete(CONFIG_MAPS + "a", "Foreground");
		assertThat(answer.at("/metadata/finalizers").toString()).isEqualTo("[\"foregroundDeletion\"]");
		await().untilAsserted(() -> {
			assertThat(metadata(SECRETS + "blocking").has("deletionTimestamp")).isTrue();
			assertThat(metadata(SECRETS + "free").has("deletionTimestamp")).isTrue();
		});
		assertThat(metadata(CONFIG_MAPS + "a").has("deletionTimestamp")).isTrue();
		release("blocking");
		awaitGone(SECRETS + "blocking");
		awaitGone(CONFIG_MAPS + "a");
		assertThat(status(SECRETS + "free")).isEqualTo(200);
		release("free");
		awaitGone(SECRETS + "free");
	}

	@Test
	void foregroundDeleteShouldGoDownToTheLeavesFirst() throws Exception {
		V1ConfigMap owner = owner("a");
		V1Secret child = dependent("child", reference(owner).blockOwnerDeletion(true));
		dependent("leaf", reference("v1", "Secret", "child", child.getMetadata().getUid()).blockOwnerDeletion(true));
		String from = this.api.resourceVersion();
		delete(CONFIG_MAPS + "a", "Foreground");
		awaitGone(CONFIG_MAPS + "a");
		try (TestWatch watch = this.client.watch("/api/v1/secrets?watch=1&resourceVersion=" + from)) {
			assertThat(watch.events(3)).extracting((event) -> event.split("@")[0])
				.containsExactly("MODIFIED child", "DELETED leaf", "DELETED child");
		}
	}

	@Test
	void foregroundDeleteWhenOwnersAreACircleShouldCollectThem() {
		V1ConfigMap owner = owner("a");
		V1Secret child = dependent("child", reference(owner).blockOwnerDeletion(true));
		this.owners.edit("default", "a", (map) -> map.getMetadata()
			.setOwnerReferences(List
				.of(reference("v1", "Secret", "child", child.getMetadata().getUid()).blockOwnerDeletion(true))));
		delete(CONFIG_MAPS + "a", "Foreground");
		awaitGone(CONFIG_MAPS + "a");
		awaitGone(SECRETS + "child");
	}

	@Test
	void orphaningDeleteShouldLeaveDependentsWithoutTheReference() {
		V1ConfigMap staying = owner("staying");
		V1ConfigMap owner = owner("a");
		dependent("child", reference(owner));
		dependent("shared", reference(owner), reference(staying));
		JsonNode answer = delete(CONFIG_MAPS + "a", "Orphan");
		assertThat(answer.at("/metadata/finalizers").toString()).isEqualTo("[\"orphan\"]");
		awaitGone(CONFIG_MAPS + "a");
		assertThat(metadata(SECRETS + "child").has("ownerReferences")).isFalse();
		awaitOwners("shared", staying);
	}

	@RepeatedTest(5)
	void randomOwnersWhenDeletedInAnyWayShouldLeaveWhatTheyMust(RepetitionInfo repetition) throws Exception {
		Random random = new Random(repetition.getCurrentRepetition());
		Map<String, Set<String>> expected = new LinkedHashMap<>();
		Map<String, String> uids = new HashMap<>();
		for (int i = 0; i < 60; i++) {
			String name = "s-" + i;
			Set<String> chosen = new LinkedHashSet<>();
			for (int j = random.nextInt(4) - 1; j > 0 && i > 0; j--) {
				chosen.add("s-" + random.nextInt(i));
			}
			V1OwnerReference[] references = chosen.stream()
				.map((owner) -> reference("v1", "Secret", owner, uids.get(owner))
					.blockOwnerDeletion(random.nextBoolean()))
				.toArray(V1OwnerReference[]::new);
			uids.put(name, dependent(name, references).getMetadata().getUid());
			expected.put(name, chosen);
		}
		List<String> names = new ArrayList<>(expected.keySet());
		Collections.shuffle(names, random);
		List<String> deleted = names.subList(0, 15);
		// The policies that delete: what they leave does not depend on the order.
		List<CompletableFuture<Void>> deletes = deleted.stream().map((name) -> {
			String policy = (random.nextBoolean()) ? "Foreground" : "Background";
			return CompletableFuture.runAsync(() -> delete(SECRETS + name, policy));
		}).toList();
		CompletableFuture.allOf(deletes.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
		Set<String> gone = new HashSet<>(deleted);
		// An owner comes before its dependents.
		expected.forEach((name, owners) -> {
			if (!owners.isEmpty() && gone.containsAll(owners)) {
				gone.add(name);
			}
		});
		expected.keySet().removeAll(gone);
		expected.values().forEach((owners) -> owners.removeAll(gone));
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.dependents.list()
				.stream()
				.collect(Collectors.toMap((secret) -> secret.getMetadata().getName(), GarbageCollectionTests::owners)))
				.isEqualTo(expected));
		dependent("witness", reference("v1", "ConfigMap", "nobody", ABSENT));
		awaitGone(SECRETS + "witness");
		assertThat(this.dependents.list()).extracting((secret) -> secret.getMetadata().getName())
			.containsExactlyInAnyOrderElementsOf(expected.keySet());
	}

	private static Set<String> owners(V1Secret secret) {
		List<V1OwnerReference> references = secret.getMetadata().getOwnerReferences();
		return (references != null) ? references.stream().map(V1OwnerReference::getName).collect(Collectors.toSet())
				: Set.of();
	}

	@Test
	void garbageCollectionWhenOffShouldIgnoreThePolicyUntilItIsOn() {
		this.api.garbageCollection(false);
		V1ConfigMap owner = owner("a");
		dependent("child", reference(owner).blockOwnerDeletion(true));
		delete(CONFIG_MAPS + "a", "Foreground");
		assertThat(status(CONFIG_MAPS + "a")).isEqualTo(404);
		assertThat(status(SECRETS + "child")).isEqualTo(200);
		this.api.garbageCollection(true);
		awaitGone(SECRETS + "child");
	}

	@Test
	void resetShouldLeaveNothingAndCollectAsBuilt() {
		V1ConfigMap owner = owner("a");
		V1Secret held = secret("held", reference(owner).blockOwnerDeletion(true));
		held.getMetadata().setFinalizers(List.of("example.com/held"));
		this.dependents.create(held);
		delete(CONFIG_MAPS + "a", "Foreground");
		this.api.garbageCollection(false);
		this.api.reset();
		assertThat(this.owners.list()).isEmpty();
		assertThat(this.dependents.list()).isEmpty();
		dependent("child", reference("v1", "ConfigMap", "nobody", ABSENT));
		awaitGone(SECRETS + "child");
	}

	@Test
	void closeShouldLeaveNoThread() {
		for (int i = 0; i < 50; i++) {
			dependent("child-" + i, reference("v1", "ConfigMap", "nobody", ABSENT));
		}
		this.api.close();
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch(
					(thread) -> thread.getName().startsWith("embedded-kubernetes") && !this.before.contains(thread)));
	}

	private V1ConfigMap owner(String name) {
		return this.owners.create(TestObjects.configMap(name, "1"));
	}

	private V1Secret dependent(String name, V1OwnerReference... references) {
		return this.dependents.create(secret(name, references));
	}

	private static V1Secret secret(String name, V1OwnerReference... references) {
		return new V1Secret()
			.metadata(new V1ObjectMeta().name(name).namespace("default").ownerReferences(List.of(references)));
	}

	private static V1OwnerReference reference(V1ConfigMap owner) {
		return reference("v1", "ConfigMap", owner.getMetadata().getName(), owner.getMetadata().getUid());
	}

	private static V1OwnerReference reference(String apiVersion, String kind, String name, String uid) {
		return new V1OwnerReference().apiVersion(apiVersion).kind(kind).name(name).uid(uid);
	}

	private JsonNode delete(String path, String policy) {
		return TestClient.json(this.client.send("DELETE", path, "{\"propagationPolicy\":\"" + policy + "\"}"));
	}

	private int status(String path) {
		return this.client.get(path).statusCode();
	}

	private JsonNode metadata(String path) {
		return this.client.json(path).path("metadata");
	}

	private void release(String name) {
		this.dependents.edit("default", name, (secret) -> secret.getMetadata().setFinalizers(null));
	}

	private void awaitGone(String path) {
		await().atMost(Duration.ofSeconds(30)).until(() -> status(path) == 404);
	}

	private void awaitOwners(String name, V1ConfigMap owner) {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			JsonNode references = metadata(SECRETS + name).path("ownerReferences");
			assertThat(references).hasSize(1);
			assertThat(references.at("/0/uid").asString()).isEqualTo(owner.getMetadata().getUid());
		});
	}

}
