package dev.kubeinformer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;

import okhttp3.Protocol;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

/**
 * Test class that runs for each of the two ways to ask for full states, over each version
 * of HTTP, and in each encoding. Two runs have each of these once, four have each of two
 * of these meet each other at least once. One is what another JDK gets. HTTP/2 is used
 * without TLS, by prior knowledge; above TLS it is the same.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@ArgumentsSource(InEveryWay.Ways.class)
@interface InEveryWay {

	/**
	 * The ways that are taken.
	 */
	class Ways implements ArgumentsProvider {

		@Override
		public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters,
				ExtensionContext context) {
			int ways = Integer.getInteger("tests.ways", 2);
			return switch (ways) {
				case 1 -> Stream.of(Arguments.of(ListMode.AUTO, Protocol.H2_PRIOR_KNOWLEDGE, WireEncoding.JSON));
				case 2 -> Stream.of(Arguments.of(ListMode.AUTO, Protocol.HTTP_1_1, WireEncoding.JSON),
						Arguments.of(ListMode.PAGED, Protocol.H2_PRIOR_KNOWLEDGE, WireEncoding.PROTOBUF));
				case 4 -> Stream.of(Arguments.of(ListMode.AUTO, Protocol.HTTP_1_1, WireEncoding.JSON),
						Arguments.of(ListMode.PAGED, Protocol.HTTP_1_1, WireEncoding.PROTOBUF),
						Arguments.of(ListMode.AUTO, Protocol.H2_PRIOR_KNOWLEDGE, WireEncoding.PROTOBUF),
						Arguments.of(ListMode.PAGED, Protocol.H2_PRIOR_KNOWLEDGE, WireEncoding.JSON));
				default -> throw new IllegalArgumentException("tests.ways is %d, not 1, 2 or 4".formatted(ways));
			};
		}

	}

}
