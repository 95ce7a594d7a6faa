package dev.kubeinformer.test;

import java.nio.file.Path;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Answers of the API server of a cluster: checks the expectations of
 * {@link EmbeddedConformanceTests}.
 */
@Tag("slow")
@Tag("conformance")
@RequiresCluster
class ClusterConformanceTests {

	@Nested
	class Objects extends ObjectConformance {

		Objects(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class BuiltIns extends BuiltInConformance {

		BuiltIns(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Deletes extends DeleteConformance {

		Deletes(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Patches extends PatchConformance {

		Patches(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Applies extends ApplyConformance {

		Applies(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Lists extends ListConformance {

		Lists(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Selectors extends SelectorConformance {

		Selectors(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Watches extends WatchConformance {

		Watches(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Representations extends RepresentationConformance {

		Representations(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Documents extends DocumentConformance {

		Documents(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class CustomResources extends CustomResourceConformance {

		CustomResources(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Schemas extends SchemaConformance {

		Schemas(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Access extends AccessConformance {

		Access(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Controllers extends ControllerConformance {

		Controllers(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Events extends EventConformance {

		Events(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Propagations extends PropagationConformance {

		Propagations(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	class Leases extends LeaseConformance {

		Leases(Path kubeconfig) {
			super(ApiTarget.cluster(kubeconfig));
		}

	}

	@Nested
	@RequiresCluster(properties = "cluster.sharded")
	class Shards extends ShardConformance {

		Shards() {
			super(ApiTarget.cluster(Path.of(System.getProperty("cluster.sharded"))));
		}

	}

}
