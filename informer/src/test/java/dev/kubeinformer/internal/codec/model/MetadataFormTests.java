package dev.kubeinformer.internal.codec.model;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.MetadataMode;

import static org.assertj.core.api.Assertions.assertThat;

/** Kinds in metadata, and the recorded form of metadata. */
class MetadataFormTests {

	private final MetadataForm form = new MetadataForm(ResourceType.metadata("example.com", "v1", "gears", true));

	@Test
	void kindOfAResourceWithoutAClassShouldBeThatOfWholeObjectsUntilItIsKnown() {
		assertThat(kind("Gear")).isEqualTo("Gear");
		// It says nothing of the objects that it describes.
		assertThat(kind("PartialObjectMetadata")).isEmpty();
		this.form.kind("Gear");
		assertThat(kind("PartialObjectMetadata")).isEqualTo("Gear");
		assertThat(kind("Other")).isEqualTo("Gear");
		assertThat(this.form.object("Gear", null)).isNull();
	}

	private String kind(String answered) {
		return this.form.object(answered, new V1ObjectMeta().name("a")).getKind();
	}

	@Test
	void changeOfTheFormShouldBeReportedOnce() {
		List<MetadataMode> modes = new ArrayList<>();
		this.form.observe(modes::add);
		List.of(true, true, false, false, true).forEach(this.form::seen);
		assertThat(modes).containsExactly(MetadataMode.SERVER, MetadataMode.CLIENT, MetadataMode.SERVER);
	}

}
