// A controller on client-go alone, as sample-controller is written: shared informers, a rate-limiting work queue, and
// workers that apply one ConfigMap for each Widget, or three children. There is no client rate limit.
//
// It answers lines of its standard input: "status" by what it has done so far, "report" by the same with the heap that
// is in use after a collection. It ends with its standard input.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/workqueue"

	"go-controller/children"
	"go-controller/counts"
)

const namespace = "controller-benchmark"

type controller struct {
	client  kubernetes.Interface
	widgets cache.SharedIndexInformer
	caches  map[string]cache.SharedIndexInformer
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
	always  bool
	three   bool
	counts  counts.Counts
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the cluster")
	workers := flag.Int("workers", 16, "workers")
	always := flag.Bool("always", false, "apply in every run, instead of comparing with the cache first")
	three := flag.Bool("three", false, "a Deployment and a Service beside the ConfigMap")
	lease := flag.String("lease", "", "the Lease by which replicas elect the one that works")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	config.QPS = -1
	c, factory := build(config, *three)
	c.always = *always
	ctx := context.Background()
	factory.Start(ctx.Done())
	go c.widgets.Run(ctx.Done())
	work := func(ctx context.Context) {
		factory.WaitForCacheSync(ctx.Done())
		cache.WaitForCacheSync(ctx.Done(), c.widgets.HasSynced)
		for i := 0; i < *workers; i++ {
			go c.work(ctx)
		}
	}
	if *lease == "" {
		go work(ctx)
	} else {
		go c.elect(ctx, *lease, work)
	}
	c.counts.Answer()
}

func (c *controller) elect(ctx context.Context, lease string, work func(context.Context)) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Namespace: namespace, Name: lease},
			Client:     c.client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprint(os.Getpid())}},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(ctx context.Context) {
			work(ctx)
			<-ctx.Done()
		}, OnStoppedLeading: func() { os.Exit(1) }},
	})
}

func build(config *rest.Config, three bool) (*controller, informers.SharedInformerFactory) {
	// As controller-runtime does: protobuf for built-in types, JSON for custom ones.
	builtIn := rest.CopyConfig(config)
	builtIn.ContentType = k8sruntime.ContentTypeProtobuf
	builtIn.AcceptContentTypes = k8sruntime.ContentTypeProtobuf + "," + k8sruntime.ContentTypeJSON
	client := kubernetes.NewForConfigOrDie(builtIn)
	c := &controller{client: client, widgets: widgetInformer(config), three: three,
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]())}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithTransform(stripManagedFields))
	c.caches = map[string]cache.SharedIndexInformer{"ConfigMap": factory.Core().V1().ConfigMaps().Informer()}
	if three {
		c.caches["Deployment"] = factory.Apps().V1().Deployments().Informer()
		c.caches["Service"] = factory.Core().V1().Services().Informer()
	}
	_, err := c.widgets.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.enqueue,
		UpdateFunc: func(before, after any) {
			if before.(*children.Widget).Generation != after.(*children.Widget).Generation {
				c.enqueue(after)
			}
		},
		DeleteFunc: c.enqueue,
	})
	check(err)
	for _, each := range c.caches {
		_, err := each.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    c.enqueueOwner,
			UpdateFunc: func(_, after any) { c.enqueueOwner(after) },
			DeleteFunc: c.enqueueOwner,
		})
		check(err)
	}
	return c, factory
}

func widgetInformer(config *rest.Config) cache.SharedIndexInformer {
	scheme := k8sruntime.NewScheme()
	check(children.AddToScheme(scheme))
	custom := rest.CopyConfig(config)
	custom.GroupVersion = &children.GroupVersion
	custom.APIPath = "/apis"
	custom.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(custom)
	check(err)
	informer := cache.NewSharedIndexInformer(
		cache.NewListWatchFromClient(client, "widgets", metav1.NamespaceAll, fields.Everything()), &children.Widget{}, 0,
		cache.Indexers{})
	check(informer.SetTransform(stripManagedFields))
	return informer
}

// As our caches do, and as is recommended to all who do not read them.
func stripManagedFields(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

func (c *controller) enqueue(object any) {
	if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
		c.queue.Add(name)
	}
}

func (c *controller) enqueueOwner(object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	child, err := meta.Accessor(object)
	if err != nil {
		return
	}
	if owner := metav1.GetControllerOf(child); owner != nil && owner.Kind == "Widget" {
		c.queue.Add(cache.ObjectName{Namespace: child.GetNamespace(), Name: owner.Name})
	}
}

func (c *controller) work(ctx context.Context) {
	for {
		name, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		err := c.reconcile(ctx, name)
		c.counts.Reconciled()
		if err != nil {
			if c.counts.Failed() <= 5 {
				fmt.Fprintln(os.Stderr, name, err)
			}
			c.queue.AddRateLimited(name)
		} else {
			c.queue.Forget(name)
		}
		c.queue.Done(name)
	}
}

func (c *controller) reconcile(ctx context.Context, name cache.ObjectName) error {
	found, exists, err := c.widgets.GetStore().GetByKey(name.String())
	if err != nil || !exists {
		return err
	}
	for _, wanted := range children.Desired(found.(*children.Widget), c.three) {
		now, exists, err := c.caches[wanted.GetObjectKind().GroupVersionKind().Kind].GetStore().GetByKey(name.String())
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		if !c.always && exists && children.Same(now.(children.Object), wanted) {
			continue
		}
		if err := c.apply(ctx, wanted); err != nil {
			return err
		}
	}
	return nil
}

func (c *controller) apply(ctx context.Context, wanted children.Object) error {
	body, err := children.Body(wanted)
	if err != nil {
		return err
	}
	force := true
	options := metav1.PatchOptions{FieldManager: children.Manager, Force: &force}
	switch wanted.GetObjectKind().GroupVersionKind().Kind {
	case "ConfigMap":
		_, err = c.client.CoreV1().ConfigMaps(wanted.GetNamespace()).Patch(ctx, wanted.GetName(), types.ApplyPatchType, body, options)
	case "Service":
		_, err = c.client.CoreV1().Services(wanted.GetNamespace()).Patch(ctx, wanted.GetName(), types.ApplyPatchType, body, options)
	case "Deployment":
		_, err = c.client.AppsV1().Deployments(wanted.GetNamespace()).Patch(ctx, wanted.GetName(), types.ApplyPatchType, body, options)
	}
	c.counts.Written()
	return err
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
