package dev.kubeinformer.spring.test;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the comparison of a file with what an application needs.
 */
@Tag("once")
class ManifestDifferenceTests {

	private static final String NEEDED = """
			---
			kind: Deployment
			metadata: {name: shop, namespace: shop}
			spec: {replicas: 2, list: [{a: 1}, {b: x}]}
			---
			kind: Namespace
			metadata: {name: shop}
			""";

	@Test
	void layoutCommentsAndOrderShouldNotMatter() {
		assertThat(differences("""
				# changed
				metadata:
				  name: shop
				kind: Namespace
				---
				kind: Deployment
				metadata: {namespace: "shop", name: 'shop'}
				spec: {list: [{a: 1.0}, {b: x}], replicas: 2}
				---
				""")).isEmpty();
	}

	@Test
	void eachDifferenceShouldHaveItsPath() {
		assertThat(differences("""
				kind: Deployment
				metadata: {name: shop, namespace: shop}
				spec: {replicas: 1, list: [{a: 1}, {b: y}], more: true}
				---
				kind: Service
				metadata: {name: shop}
				""")).containsExactly("Deployment 'shop/shop': spec.list[1].b is y, needed is x",
				"Deployment 'shop/shop': spec.more is true, needed is absent",
				"Deployment 'shop/shop': spec.replicas is 1, needed is 2", "Namespace 'shop' is missing",
				"Service 'shop' is not needed");
	}

	private static List<String> differences(String actual) {
		return ManifestDifference.of(ManifestYaml.read(actual), ManifestYaml.read(NEEDED));
	}

}
