package dev.kubeinformer.test.internal.table;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PrinterColumns}.
 */
class PrinterColumnsTests {

	private final JsonMapper mapper = JsonMapper.shared();

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = '|',
			value = { ".conditions[?(@.type==\"Ready\")].status | False",
					".conditions[?(@.type == 'Synced')].status | True", ".conditions[?(@.type==\"Gone\")].status |",
					".conditions[?(@.meta.by==\"a\")].type | Ready", ".conditions[0].type | Synced",
					".conditions[7].type |", ".conditions[?(@.type)].status |" })
	void cellShouldBeWhatItsPathFinds(String path, @Nullable String text) {
		JsonNode version = this.mapper
			.valueToTree(Map.of("additionalPrinterColumns", List.of(Map.of("name", "Ready", "jsonPath", path))));
		ObjectNode object = (ObjectNode) this.mapper.readTree("""
				{"conditions":[{"type":"Synced","status":"True"},
				{"type":"Ready","status":"False","meta":{"by":"a"}}]}""");
		assertThat(PrinterColumns.of(version).get(0).cell(object)).isEqualTo(text);
	}

}
