package dev.kubeinformer.test.internal.write;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTraits;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.schema.RuleEngine;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.table.PrinterColumns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoredObjectsTests {

	@Test
	void createWhenDefinitionIsDeletedMeanwhileShouldNotBeFound() {
		ResourceDefinition gone = new ResourceDefinition(new GroupResource("example.com", "widgets"), "v1", "Widget",
				true, "", new ResourceTraits("widget", List.of(), List.of(), true, true,
						PrinterColumns.of(Json.object()), null, null));
		StoredObjects store = new StoredObjects(new RevisionLog(10), ResourceTypes.builtIn(), new BuiltInObjects(true),
				RuleEngine.NONE);
		WriteOptions options = new WriteOptions(true, "test", false, "", false, false, false, FieldChecks.NONE);
		assertThatExceptionOfType(RequestFailure.class)
			.isThrownBy(
					() -> store.create(gone, "default", Json.readObject("{\"metadata\":{\"name\":\"late\"}}"), options))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(404));
	}

}
