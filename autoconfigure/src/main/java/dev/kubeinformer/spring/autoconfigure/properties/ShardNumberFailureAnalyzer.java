package dev.kubeinformer.spring.autoconfigure.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Failure analyzer for an index or number of shards that is no number, such as a
 * placeholder of which nothing is known. Boot would only say that it cannot be converted.
 */
class ShardNumberFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

	private static final String PREFIX = InformersProperties.PREFIX + ".shard.";

	@Override
	public int getOrder() {
		// Before that of Boot for all that cannot be bound.
		return 0;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		String action = switch (cause.getName().toString()) {
			case PREFIX + "index" -> ShardReader.indexAction("from 0 on");
			case PREFIX + "total" -> ShardReader.TOTAL;
			default -> null;
		};
		return (property != null && action != null)
				? new FailureAnalysis(
						"'%s' is '%s', which is no number".formatted(cause.getName(), property.getValue())
								+ (property.getValue().toString().contains("${") ? " when it is resolved" : ""),
						action, cause)
				: null;
	}

}
