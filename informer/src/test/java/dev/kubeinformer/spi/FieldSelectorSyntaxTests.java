package dev.kubeinformer.spi;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.informer.InformerSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link FieldSelectorSyntax}, with the cases of apimachinery's
 * {@code selector_test.go}.
 */
class FieldSelectorSyntaxTests {

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "x=a,y=b,z=c", "x!=a,y=b", "x==a", "x=", "x=,z= ", "x= ,z= ", "x=a||y\\=b",
			"x=a\\=\\=b", "x=a\\,b", "x=a\\\\", "x=a,", ",x=a", "metadata.name=one" })
	void selectorIsAccepted(String text) {
		assertThat(InformerSpec.of(V1Pod.class).withFieldSelector(text).fieldSelector())
			.isEqualTo(text.isBlank() ? null : text.strip());
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "x=a,y", "x=a||y=b", "x==a==b", "x=a=b", "x=a\\b", "x=a\\", "=a", "x>1", "x in (a)" })
	void anythingElseIsRefusedByName(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> InformerSpec.of(V1Pod.class).withFieldSelector(text))
			.withMessageStartingWith("Invalid field selector '" + text + "': '");
	}

}
