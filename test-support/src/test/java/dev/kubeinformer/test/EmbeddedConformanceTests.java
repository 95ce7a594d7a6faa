package dev.kubeinformer.test;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Answers of the embedded API; {@link ClusterConformanceTests} asks a real one the same.
 */
@Tag("conformance")
@Tag("slow")
class EmbeddedConformanceTests {

	@Nested
	class Objects extends ObjectConformance {

		Objects() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class BuiltIns extends BuiltInConformance {

		BuiltIns() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Deletes extends DeleteConformance {

		Deletes() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Patches extends PatchConformance {

		Patches() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Applies extends ApplyConformance {

		Applies() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Lists extends ListConformance {

		Lists() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Selectors extends SelectorConformance {

		Selectors() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Watches extends WatchConformance {

		Watches() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Representations extends RepresentationConformance {

		Representations() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Documents extends DocumentConformance {

		Documents() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class CustomResources extends CustomResourceConformance {

		CustomResources() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Schemas extends SchemaConformance {

		Schemas() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Access extends AccessConformance {

		Access() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Controllers extends ControllerConformance {

		Controllers() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Events extends EventConformance {

		Events() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Propagations extends PropagationConformance {

		Propagations() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Leases extends LeaseConformance {

		Leases() {
			super(ApiTarget.embedded());
		}

	}

	@Nested
	class Shards extends ShardConformance {

		Shards() {
			super(ApiTarget.embedded());
		}

	}

}
