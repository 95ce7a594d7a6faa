package dev.kubeinformer.controller.test;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.test.RecordingReconciliation.RecordedEvent;
import dev.kubeinformer.controller.test.RecordingReconciliation.Verb;
import dev.kubeinformer.controller.test.RecordingReconciliation.Write;
import dev.kubeinformer.resource.Metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Run for unit tests.
 */
class RecordingReconciliationTests {

	private final V1Deployment primary = new V1Deployment().metadata(new V1ObjectMeta().name("one"))
		.spec(new V1DeploymentSpec().replicas(2));

	private final RecordingReconciliation<V1Deployment> run = RecordingReconciliation.of(this.primary);

	private static V1ConfigMap map(String name, String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).data(Map.of("key", value));
	}

	@Test
	void clusterIsTheDefaultOneUnlessItIsSet() {
		assertThat(this.run.cluster()).isEqualTo("default");
		assertThat(this.run.withCluster("edge").cluster()).isEqualTo("edge");
	}

	@Test
	void quarantinedRunSaysSoAndWritesNoStatus() {
		assertThat(this.run.isQuarantined()).isFalse();
		assertThat(this.run.withQuarantined().isQuarantined()).isTrue();
		assertThat(this.run.replaceStatus((object) -> object)).isNotNull();
		assertThat(this.run.statuses()).isEmpty();
	}

	@Test
	void applyReturnsWhatAServerMight() {
		V1ConfigMap applied = this.run.apply(map("child", "a"));
		assertThat(applied.getKind()).isEqualTo("ConfigMap");
		assertThat(applied.getMetadata().getNamespace()).isEqualTo("default");
		assertThat(applied.getMetadata().getUid()).isNotEmpty();
		assertThat(applied.getMetadata().getResourceVersion()).isNotEmpty();
		assertThat(applied.getMetadata().getOwnerReferences()).singleElement()
			.extracting(V1OwnerReference::getUid, V1OwnerReference::getController)
			.containsExactly(this.run.object().getMetadata().getUid(), true);
		assertThat(this.run.applied(V1ConfigMap.class)).containsExactly(applied);
		assertThat(this.run.applied(V1Service.class)).isEmpty();
		assertThat(this.primary.getMetadata().getUid()).isNull();
	}

	@Test
	void applyMergesIntoWhatIsThere() {
		V1Deployment there = new V1Deployment().metadata(new V1ObjectMeta().namespace("default").name("child").uid("u"))
			.status(new V1DeploymentStatus().readyReplicas(3));
		RecordingReconciliation<V1ConfigMap> owner = RecordingReconciliation.of(map("owner", "a"), Owned.of(there));
		assertThat(owner.owned(V1Deployment.class).single()).isSameAs(there);
		V1Deployment applied = owner.apply(
				new V1Deployment().metadata(new V1ObjectMeta().name("child")).spec(new V1DeploymentSpec().replicas(5)));
		assertThat(applied.getStatus().getReadyReplicas()).isEqualTo(3);
		assertThat(applied.getSpec().getReplicas()).isEqualTo(5);
		assertThat(applied.getMetadata().getUid()).isEqualTo("u");
	}

	@Test
	void rulesOfOwnersHoldAsInARun() {
		V1ConfigMap elsewhere = map("child", "a");
		elsewhere.getMetadata().namespace("other");
		assertThatIllegalArgumentException().isThrownBy(() -> this.run.apply(elsewhere))
			.withMessageContaining("ConfigMap 'other/child'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.run.create(new V1Node().metadata(new V1ObjectMeta().name("node"))));
		V1ConfigMap foreign = map("child", "a");
		foreign.getMetadata()
			.namespace("default")
			.addOwnerReferencesItem(
					new V1OwnerReference().apiVersion("v1").kind("Gadget").name("g").uid("g").controller(true));
		RecordingReconciliation<V1Deployment> other = RecordingReconciliation.of(this.primary, foreign);
		assertThatIllegalStateException().isThrownBy(() -> other.apply(map("child", "a")))
			.withMessageContaining("Gadget 'g'");
	}

	@Test
	void ownedMetadataIsFoundByItsKindPatchedAndDeleted() {
		Metadata<V1ConfigMap> child = new Metadata<>("v1", "ConfigMap",
				new V1ObjectMeta().namespace("default").name("child").uid("u1"));
		Metadata<V1Service> service = new Metadata<>("v1", "Service",
				new V1ObjectMeta().namespace("default").name("child"));
		RecordingReconciliation<V1Deployment> described = RecordingReconciliation.of(this.primary, Owned.of(child),
				Owned.of(service));
		assertThat(described.ownedMetadata(V1ConfigMap.class).single()).isSameAs(child);
		assertThat(described.owned(V1ConfigMap.class).list()).isEmpty();
		assertThat(described.apply(map("child", "a")).getMetadata().getUid()).isEqualTo("u1");
		Metadata<V1ConfigMap> patched = described.patch(child, PatchFormat.MERGE,
				"{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
		assertThat(patched.getKind()).isEqualTo("ConfigMap");
		assertThat(patched.getMetadata().getLabels()).containsExactly(Map.entry("a", "b"));
		described.delete(service);
		assertThat(described.deleted()).containsExactly(service);
		assertThatIllegalArgumentException().isThrownBy(() -> described.create(child))
			.withMessageContaining("is only the metadata of a 'ConfigMap'");
	}

	@Test
	void createNamesWhatHasNoName() {
		V1ConfigMap created = this.run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName("child-")));
		assertThat(created.getMetadata().getName()).startsWith("child-");
		assertThat(this.run.created()).containsExactly(created);
	}

	@Test
	void statusIsRecordedIfItDiffers() {
		V1Deployment changed = this.run.status((object) -> object.getStatus().setReadyReplicas(2));
		assertThat(this.run.status((object) -> object.getStatus().setReadyReplicas(2))).isSameAs(changed);
		assertThat(this.run.statuses()).containsExactly(changed);
		assertThat(this.run.primary()).isSameAs(changed);
		assertThat(this.run.object().getStatus()).isNull();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.run.status((object) -> object.getSpec().setReplicas(9)))
			.withMessageContaining("'spec.replicas'");
	}

	@Test
	void writesAreRecordedInOrder() {
		V1ConfigMap map = this.run.apply(map("child", "a"));
		V1ConfigMap patched = this.run.patch(map, PatchFormat.MERGE, "{\"data\":{\"key\":null,\"more\":\"b\"}}");
		assertThat(patched.getData()).isEqualTo(Map.of("more", "b"));
		this.run.delete(patched);
		this.run.written(map("other", "b"));
		this.run.event("Scaled", "to 2");
		assertThat(this.run.writes()).extracting(Write::verb)
			.containsExactly(Verb.APPLY, Verb.PATCH, Verb.DELETE, Verb.WRITTEN);
		assertThat(this.run.patched()).extracting(Write::patch)
			.containsExactly("{\"data\":{\"key\":null,\"more\":\"b\"}}");
		assertThat(this.run.deleted()).isEqualTo(List.of(patched));
		assertThat(this.run.deletions())
			.containsExactly(new RecordingReconciliation.RecordedDeletion(patched, DeleteOptions.defaults()));
		assertThat(this.run.events())
			.containsExactly(new RecordedEvent(Reconciliation.EventType.NORMAL, "Scaled", "to 2"));
	}

	@Test
	void attemptIsWhatTheTestSays() {
		assertThat(this.run.attempt()).isEqualTo(1);
		assertThat(this.run.withAttempt(3).attempt()).isEqualTo(3);
	}

}
