package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Objects without a class of their own, as they are read from a list.
 */
class DynamicObjectTests {

	private static final String LIST = """
			{"kind": "GadgetList", "apiVersion": "example.com/v1", "metadata": {"resourceVersion": "7"},
			 "items": [{"metadata": {"name": "a", "managedFields": [{"manager": "m"}], "uid": "u"},
			 "spec": {"managedFields": [1]}}]}""";

	@Test
	void managedFieldsOfTheMetadataAloneAreDroppedAndTheListSaysTheKind() throws IOException {
		DynamicKubernetesObject read = read(new JsonMappers(false));
		assertThat(read.getRaw().getAsJsonObject("metadata").keySet()).containsExactly("name", "uid");
		assertThat(read.getRaw().getAsJsonObject("spec").getAsJsonArray("managedFields")).hasSize(1);
		assertThat(read.getKind()).isEqualTo("Gadget");
		assertThat(read.getApiVersion()).isEqualTo("example.com/v1");
	}

	@Test
	void managedFieldsAreKeptOnDemand() throws IOException {
		assertThat(read(new JsonMappers(true)).getMetadata().getManagedFields()).hasSize(1);
	}

	private static DynamicKubernetesObject read(JsonMappers mappers) throws IOException {
		List<DynamicKubernetesObject> read = new ArrayList<>();
		new JsonCodec<>(ResourceType.dynamic("example.com", "v1", "gadgets"), mappers).readList(
				new ByteArrayInputStream(LIST.getBytes(StandardCharsets.UTF_8)),
				(DecodedObject<DynamicKubernetesObject> each) -> read.add(each.object()));
		assertThat(read).hasSize(1);
		return read.get(0);
	}

}
