package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;

import static org.assertj.core.api.Assertions.assertThat;

/** Managed fields after an apply has taken over created and updated fields. */
class ManagedFieldsUpgradeTests {

	private static final ModelJson JSON = new ModelJson(new JsonMappers(false));

	/**
	 * Entries are written as {@code manager operation apiVersion[/subresource] fields},
	 * each on a line of its own.
	 */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					# nothing to take over
					only the own apply                | me Apply v1 {f:data:{f:a:{}}}                                                      | nothing
					no entries                        |                                                                                    | nothing
					an update by another              | me Apply v1 {f:data:{f:a:{}}}; you Update v1 {f:data:{f:b:{}}}                     | nothing
					an apply by a former manager      | me Apply v1 {f:data:{f:a:{}}}; old Apply v1 {f:data:{f:b:{}}}                      | nothing
					a subresource                     | me Apply v1 {f:data:{f:a:{}}}; me Update v1/status {f:status:{f:b:{}}}             | nothing
					only finalizers                   | me Apply v1 {f:data:{f:a:{}}}; me Update v1 {f:metadata:{f:finalizers:{v:x:{}}}}   | nothing
					only a status                     | me Apply v1 {f:data:{f:a:{}}}; me Update v1 {f:status:{f:b:{}}}                    | nothing
					an unknown operation              | me Delete v1 {f:data:{f:a:{}}}                                                     | nothing
					# the same fields
					the same fields                   | me Apply v1 {f:data:{f:a:{}}}; me Update v1 {f:data:{f:a:{}}}                      | same: me Apply v1 {f:data:{f:a:{}}}
					fewer fields                      | me Apply v1 {f:data:{f:a:{},f:b:{}}}; me Update v1 {f:data:{f:a:{}}}               | same: me Apply v1 {f:data:{f:a:{},f:b:{}}}
					# more fields
					other fields                      | me Apply v1 {f:data:{f:a:{}}}; me Update v1 {f:data:{f:b:{}}}                      | more: me Apply v1 {f:data:{f:a:{},f:b:{}}}
					the update first                  | me Update v1 {f:data:{f:b:{}}}; me Apply v1 {f:data:{f:a:{}}}                      | more: me Apply v1 {f:data:{f:a:{},f:b:{}}}
					no apply yet                      | me Update v1 {f:data:{f:b:{}}}                                                     | more: me Apply v1 {f:data:{f:b:{}}}
					a former manager                  | me Apply v1 {f:data:{f:a:{}}}; old Update v1 {f:data:{f:b:{}}}                     | more: me Apply v1 {f:data:{f:a:{},f:b:{}}}
					a former manager, no apply yet    | old Update v1 {f:data:{f:b:{}}}                                                    | more: me Apply v1 {f:data:{f:b:{}}}
					several updates                   | me Apply v1 {f:a:{}}; old Update v1 {f:b:{}}; me Update v1 {f:c:{}}                | more: me Apply v1 {f:a:{},f:b:{},f:c:{}}
					several updates, no apply yet     | old Update v1 {f:b:{}}; you Update v1 {f:d:{}}; me Update v1 {f:c:{}}              | more: me Apply v1 {f:b:{},f:c:{}}; you Update v1 {f:d:{}}
					others stay                       | you Apply v1 {f:d:{}}; me Apply v1 {f:a:{}}; me Update v1 {f:b:{}}; me Update v1/scale {f:c:{}}; you Update v1 {f:e:{}} | more: you Apply v1 {f:d:{}}; me Apply v1 {f:a:{},f:b:{}}; me Update v1/scale {f:c:{}}; you Update v1 {f:e:{}}
					# paths that hold others
					a map and its fields              | me Apply v1 {f:data:{}}; me Update v1 {f:data:{f:a:{}}}                            | more: me Apply v1 {f:data:{f:a:{},.:{}}}
					fields and their map              | me Apply v1 {f:data:{f:a:{}}}; me Update v1 {f:data:{}}                            | more: me Apply v1 {f:data:{f:a:{},.:{}}}
					a map with its fields             | me Apply v1 {f:data:{}}; me Update v1 {f:data:{.:{},f:a:{}}}                       | more: me Apply v1 {f:data:{.:{},f:a:{}}}
					items of lists                    | me Apply v1 {f:ports:{k80:{.:{},f:port:{}}}}; me Update v1 {f:ports:{.:{},k80:{.:{},f:name:{}},k81:{.:{}}}} | more: me Apply v1 {f:ports:{k80:{.:{},f:port:{},f:name:{}},.:{},k81:{.:{}}}}
					# another version
					another version than the apply    | me Apply v2 {f:a:{}}; me Update v1 {f:b:{}}                                        | same: me Apply v2 {f:a:{}}
					two versions                      | me Apply v2 {f:a:{}}; me Update v1 {f:b:{}}; me Update v2 {f:c:{}}                 | more: me Apply v2 {f:a:{},f:c:{}}
					two versions, no apply yet        | me Update v2 {f:b:{}}; old Update v1 {f:c:{}}; me Update v1 {f:d:{}}               | more: me Apply v2 {f:b:{}}
					# what never is the apply's
					finalizers stay                   | me Apply v1 {f:a:{}}; me Update v1 {f:b:{},f:metadata:{f:labels:{f:l:{}},f:finalizers:{v:x:{}}}} | more: me Apply v1 {f:a:{},f:b:{},f:metadata:{f:labels:{f:l:{}}}}; me Update v1 {f:metadata:{f:finalizers:{v:x:{}}}}
					nothing but finalizers in the metadata | me Apply v1 {f:a:{}}; me Update v1 {f:b:{},f:metadata:{f:finalizers:{v:x:{}}}} | more: me Apply v1 {f:a:{},f:b:{}}; me Update v1 {f:metadata:{f:finalizers:{v:x:{}}}}
					a status stays                    | me Apply v1 {f:a:{}}; me Update v1 {f:b:{},f:status:{f:c:{}}}                      | more: me Apply v1 {f:a:{},f:b:{}}; me Update v1 {f:status:{f:c:{}}}
					finalizers of another version     | me Apply v2 {f:a:{}}; me Update v1 {f:b:{},f:metadata:{f:finalizers:{v:x:{}}}}     | same: me Apply v2 {f:a:{}}; me Update v1 {f:metadata:{f:finalizers:{v:x:{}}}}
					""")
	void entriesOfCreatesAndUpdatesBecomeThoseOfTheApply(String subject, String before, String expected)
			throws MalformedResponseException {
		ManagedFieldsUpgrade upgrade = ManagedFieldsUpgrade.of(entries(before), "me", Set.of("me", "old"));
		if (expected.equals("nothing")) {
			assertThat(upgrade).isNull();
			return;
		}
		assertThat(upgrade.gained()).isEqualTo(expected.startsWith("more: "));
		assertThat(upgrade.managedFields()).isEqualTo(entries(expected.substring(6)));
		assertThat(ManagedFieldsUpgrade.of(upgrade.managedFields(), "me", Set.of("me", "old"))).isNull();
	}

	private static List<?> entries(String text) throws MalformedResponseException {
		if (text == null) {
			return List.of();
		}
		StringBuilder json = new StringBuilder();
		for (String entry : text.split("; ")) {
			String[] parts = entry.split(" ");
			String[] version = parts[2].split("/");
			json.append(json.isEmpty() ? "[" : ",")
				.append("{\"manager\":\"%s\",\"operation\":\"%s\",\"apiVersion\":\"%s\"".formatted(parts[0], parts[1],
						version[0]))
				.append((version.length > 1) ? ",\"subresource\":\"%s\"".formatted(version[1]) : "")
				.append(",\"fieldsType\":\"FieldsV1\",\"time\":\"2026-01-01T00:00:00Z\",\"fieldsV1\":")
				.append(parts[3].replaceAll("([a-z]:[a-z]+|[.]|k[0-9]+):", "\"$1\":"))
				.append('}');
		}
		return (List<?>) JSON.readUntyped(json.append(']').toString().getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void entriesOfAnUnknownFormAreLeftAlone() {
		List<Object> entries = List.of(Map.of("manager", "me", "operation", "Update", "fieldsType", "FieldsV2",
				"fieldsV1", Map.of("f:a", Map.of())));
		assertThat(ManagedFieldsUpgrade.of(entries, "me", Set.of("me"))).isNull();
		assertThat(ManagedFieldsUpgrade.of(List.of("text", Map.of()), "me", Set.of("me"))).isNull();
	}

}
