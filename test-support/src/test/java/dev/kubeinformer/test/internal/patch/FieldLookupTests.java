package dev.kubeinformer.test.internal.patch;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

class FieldLookupTests {

	private final FieldLookup lookup = new FieldLookup(Json.readObject("""
			{"ports":[{"port":80,"name":"a"},{"port":80,"protocol":"UDP","name":"b"},{"port":80,"name":"c"}],
			"other":[{"port":80,"name":"d"}],"set":["x",{"y":1},3],"deep":[{"n":"1","list":[{"n":"2","v":5}]}]}"""));

	@Test
	void itemShouldBeFoundByItsKeysInAnyOrder() {
		assertThat(find("f:ports", "k:{\"port\":80,\"protocol\":\"UDP\"}", "f:name")).hasToString("\"b\"");
		assertThat(find("f:ports", "k:{\"protocol\":\"UDP\",\"port\":80}", "f:name")).hasToString("\"b\"");
		assertThat(find("f:ports", "k:{\"port\":81,\"protocol\":\"UDP\"}")).isNull();
	}

	@Test
	void firstItemWithTheDefaultKeyShouldBeFound() {
		assertThat(find("f:ports", "k:{\"port\":80,\"protocol\":\"TCP\"}", "f:name")).hasToString("\"a\"");
		assertThat(find("f:other", "k:{\"port\":80,\"protocol\":\"TCP\"}", "f:name")).hasToString("\"d\"");
	}

	@Test
	void itemShouldBeFoundByItsValue() {
		assertThat(find("f:set", "v:\"x\"")).hasToString("\"x\"");
		assertThat(find("f:set", "v:{\"y\":1}")).hasToString("{\"y\":1}");
		assertThat(find("f:set", "v:4")).isNull();
	}

	@Test
	void itemShouldBeFoundInAListInAnItem() {
		assertThat(find("f:deep", "k:{\"n\":\"1\"}", "f:list", "k:{\"n\":\"2\"}", "f:v")).hasToString("5");
	}

	@Test
	void pathThatLeadsElsewhereShouldFindNothing() {
		assertThat(find("f:none", "f:x")).isNull();
		assertThat(find("f:set", "f:x")).isNull();
		assertThat(find("f:deep", "k:{\"n\":\"1\"}", "k:{\"n\":\"1\"}")).isNull();
	}

	private @Nullable JsonNode find(String... elements) {
		return this.lookup.find(new FieldPath(List.of(elements)));
	}

}
