package dev.kubeinformer.spring.autoconfigure.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Failure analyzer for a shard index, total or number of slots that is not a number, such
 * as an unresolved placeholder. Boot would only report that the value cannot be
 * converted.
 */
class ShardNumberFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

	private static final String PREFIX = InformersProperties.PREFIX + ".shard.";

	@Override
	public int getOrder() {
		// Before Boot's analyzer for values that cannot be bound.
		return 0;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		String action = switch (cause.getName().toString()) {
			case PREFIX + "index" -> ShardReader.indexAction("from 0 on");
			case PREFIX + "total" -> ShardReader.TOTAL;
			case PREFIX + "slots" -> ShardReader.SLOTS;
			default -> null;
		};
		return (property != null && action != null)
				? new FailureAnalysis(
						"'%s' is '%s', which is not a number".formatted(cause.getName(), property.getValue())
								+ (property.getValue().toString().contains("${") ? " when it is resolved" : ""),
						action, cause)
				: null;
	}

}
